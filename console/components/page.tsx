import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** The current project's name; empty if there is none. */
export const ProjectName = createContext('');

interface PageProps {
  readonly title: string;
  /** Shown instead of the title, if text isn't enough. */
  readonly heading?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let isFirst = true;

/** A view. Its title names the tab, and the focus starts at its heading or at the field with `autofocus`. */
export const Page = ({ title, heading, actions, children }: PageProps) => {
  const project = useContext(ProjectName);
  const top = useRef<HTMLHeadingElement>(null);
  // Before the paint: later it could take the focus from a field that the user has chosen.
  useLayoutEffect(() => {
    const field = document.querySelector<HTMLElement>('main [autofocus]');
    if (field || !isFirst) (field ?? top.current)?.focus({ preventScroll: true });
    isFirst = false;
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = [title, project, brand.name ?? 'Links console'].filter(Boolean).join(' · ');
  }, [title, project]);
  return (
    <>
      <div class="heading">
        <h1 ref={top} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {children}
    </>
  );
};
