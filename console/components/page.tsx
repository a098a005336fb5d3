import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** What people call the project that is looked at; empty where there is none. */
export const ProjectName = createContext('');

interface PageProps {
  readonly title: string;
  /** Shown in place of the title, if text isn't enough. */
  readonly heading?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let isFirst = true;

/** A view: its title names the tab, and screen readers and the keyboard start at its heading, or at the field of a form that says so. */
export const Page = ({ title, heading, actions, children }: PageProps) => {
  const project = useContext(ProjectName);
  const top = useRef<HTMLHeadingElement>(null);
  // Before the browser paints: later it could take the focus from a field that the user has gone to.
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
