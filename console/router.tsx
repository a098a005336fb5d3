import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { client } from './calls/client.ts';
import { asksBeforeLeaving } from './leave-question.ts';

export interface PagePlace {
  /** The segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly href: string;
}

const moved = 'console-moved';

let hasMoved = false;
/** Whether the page still shows the view that it was loaded for. */
export const isFirstView = (): boolean => !hasMoved;

const here = (): PagePlace => ({
  path: location.pathname
    .slice(client().base.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment)),
  query: new URLSearchParams(location.search),
  href: location.pathname + location.search,
});

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Goes to a view. With `replace`, the browser's back button skips the current one. While the browser asks before leaving,
 * the view loads as a new page.
 */
export const navigate = (href: string, { replace = false } = {}): void => {
  if (asksBeforeLeaving()) {
    location.assign(href);
    return;
  }
  hasMoved = true;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  dispatchEvent(new Event(moved));
};

export const usePlace = (): PagePlace => {
  const [place, setPlace] = useState(here);
  const shown = useRef(place.href);
  useLayoutEffect(() => {
    const look = () => {
      const now = here();
      shown.current = now.href;
      setPlace(now);
    };
    const goBack = () => {
      hasMoved = true;
      if (!asksBeforeLeaving()) return look();
      // The browser has already changed the address, so it is restored if the user stays.
      const { href } = here();
      history.pushState(null, '', shown.current);
      location.assign(href);
    };
    addEventListener('popstate', goBack);
    addEventListener(moved, look);
    return () => {
      removeEventListener('popstate', goBack);
      removeEventListener(moved, look);
    };
  }, []);
  return place;
};

/** A view's address from its segments and the non-empty parameters. */
export const hrefOf = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  return `${client().base}/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

interface LinkProps {
  readonly href: string;
  readonly class?: string | undefined;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to another view, which can also open in a new tab or window. */
export const A = ({ href, current = false, children, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={href}
    aria-current={current ? 'page' : undefined}
    onClick={(event) => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      navigate(href);
    }}
  >
    {children}
  </a>
);
