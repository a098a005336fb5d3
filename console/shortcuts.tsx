import { useLayoutEffect, useRef } from 'preact/hooks';
import { client } from './calls/client.ts';
import { hrefOf, navigate, type PagePlace } from './router.tsx';

/** The view that `n` opens; undefined if the member's role can't create links. */
const newOf = (project: string | undefined): string | undefined => {
  if (client().isOperators) return 'New link, or new project';
  return client().offers('createLink', project) ? 'New link' : undefined;
};

const keysIn = (project: string | undefined) =>
  [
    ['/', 'Search the links'],
    ['n', newOf(project)],
    [
      'Paste',
      client().offers('createLink', project) ? 'A link to the address, in a list of links' : undefined,
    ],
    ['g', 'Analytics of the project'],
    ['l', 'Links of the project'],
    ['p', 'All projects'],
    ['?', 'This list'],
  ] as const;

const projectOf = ({ path }: PagePlace): string | undefined => (path[0] === 'p' ? path[1] : undefined);

const opened = 'console-shortcuts';

/** Keyboard shortcuts for views, inactive while the user types. */
export const useShortcuts = (place: PagePlace): void => {
  const project = projectOf(place);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, dialog *');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const go = actionOf(event.key, project);
      if (!go) return;
      event.preventDefault();
      go();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [project]);
};

const actionOf = (key: string, project: string | undefined): (() => void) | undefined => {
  if (key === '?') return () => dispatchEvent(new Event(opened));
  if (key === 'p') return () => navigate(hrefOf([]));
  if (project === undefined)
    return key === 'n' && client().isOperators ? () => navigate(hrefOf(['new'])) : undefined;
  if (key === 'n')
    return !client().offers('createLink', project)
      ? undefined
      : () => navigate(hrefOf(['p', project, 'links', '~new']));
  if (key === 'g') return () => navigate(hrefOf(['p', project, 'analytics']));
  if (key === 'l') return () => navigate(hrefOf(['p', project]));
  if (key !== '/') return undefined;
  return () => {
    const search = document.querySelector<HTMLInputElement>('input[type=search]');
    if (search) search.focus();
    else navigate(hrefOf(['p', project]));
  };
};

/** The list of keys, which a button or `?` opens. */
export const Shortcuts = ({ place }: { readonly place: PagePlace }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useLayoutEffect(() => {
    addEventListener(opened, open);
    return () => removeEventListener(opened, open);
  }, []);
  return (
    <>
      <button type="button" class="quiet small keys" onClick={open}>
        Shortcuts
      </button>
      <dialog ref={dialog} aria-labelledby="keys">
        <h2 id="keys">Keyboard</h2>
        <dl class="shortcuts">
          {keysIn(projectOf(place)).map(
            ([key, what]) =>
              what && (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ),
          )}
        </dl>
        <form method="dialog" class="buttons">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
};
