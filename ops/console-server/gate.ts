import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The gate's decision about a request. */
type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly message: string }
  /** For the address with the token: sets the cookie and redirects to the address without the token. */
  | { readonly kind: 'welcome'; readonly cookie: string; readonly location: string };

/** The header with the page key, which only pages that were opened with the token have. */
const pageKeyHeader = 'x-console-key';

const refused = (status: 401 | 403, message: string): Admission => ({ kind: 'refused', status, message });

const closed = 'Open the address that the console printed when it started: it carries a token.';

/**
 * Admits only the browser that opened the printed address. Browsers send a cookie to every port of a host, so to any
 * program on this machine. Calls therefore also need the page key, which pages of other ports can't read.
 */
export const gateOf = (authority: string, token = randomBytes(24).toString('base64url')) => {
  // New secrets at each start, because a program that had the port in between may have seen the old ones.
  const start = randomBytes(24);
  const derived = (name: string) =>
    createHmac('sha256', token).update(start).update(name).digest('base64url');
  const [cookieValue, pageKey] = [derived('cookie'), derived('page')];
  const cookieName = `console-${authority.split(':')[1]}`;
  const origin = `http://${authority}`;
  return {
    /** The address to open, with its token. */
    address: `${origin}/?token=${token}`,
    admit: (request: IncomingMessage): Admission => {
      const { headers, method = '' } = request;
      if (headers.host !== authority) return refused(403, `This console only answers at ${authority}.`);
      if (isForeign(headers, origin)) return refused(403, 'This console only answers its own pages.');
      const url = requestedAddress(request);
      const given = url.searchParams.get('token');
      if (given !== null) {
        if (!same(given, token)) return refused(401, closed);
        url.searchParams.delete('token');
        // A single slash, because two would name another host.
        const location = `/${url.pathname.replace(/^\/+/, '')}${url.search}#${pageKey}`;
        const cookie = `${cookieName}=${cookieValue}; HttpOnly; SameSite=Strict; Path=/`;
        return { kind: 'welcome', cookie, location };
      }
      if (!same(cookieOf(headers.cookie, cookieName), cookieValue)) return refused(401, closed);
      if (method === 'GET' || method === 'HEAD') return { kind: 'admitted' };
      if (headers.origin !== origin) return refused(403, 'This console only answers its own pages.');
      return same(String(headers[pageKeyHeader] ?? ''), pageKey)
        ? { kind: 'admitted' }
        : refused(401, closed);
    },
  };
};

export type Gate = ReturnType<typeof gateOf>;

/** The requested path and query; the root if the target is not a path. */
export const requestedAddress = ({ url = '/' }: IncomingMessage): URL =>
  URL.parse(url.startsWith('/') ? `http://console${url}` : url) ?? new URL('http://console/');

const isForeign = (headers: IncomingMessage['headers'], origin: string): boolean => {
  if (headers.origin !== undefined && headers.origin !== origin) return true;
  // Requests by other sites' pages are foreign, except followed links, which have the mode `navigate`.
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  return !isOwn && headers['sec-fetch-mode'] !== 'navigate';
};

const cookieOf = (header: string | undefined, name: string): string =>
  (header ?? '')
    .split(/;\s*/)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

const same = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};
