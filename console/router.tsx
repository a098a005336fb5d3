import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Place {
  /** The segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly href: string;
}

const moved = 'console-moved';

const here = (): Place => ({
  path: location.pathname
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

/** Goes to a view. With `replace`, the browser's back button skips the current one. */
export const navigate = (href: string, { replace = false } = {}): void => {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  dispatchEvent(new Event(moved));
};

export const usePlace = (): Place => {
  const [place, setPlace] = useState(here);
  useLayoutEffect(() => {
    const look = () => setPlace(here());
    addEventListener('popstate', look);
    addEventListener(moved, look);
    return () => {
      removeEventListener('popstate', look);
      removeEventListener(moved, look);
    };
  }, []);
  return place;
};

/** An address of a view from its segments, with what of the query is not empty. */
export const hrefOf = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  return `/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

interface LinkProps {
  readonly href: string;
  readonly class?: string | undefined;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to another view. A new tab or window works as with any link. */
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
