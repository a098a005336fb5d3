import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export interface ViewerRequest {
  readonly method: string;
  readonly uri: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case, repeated ones joined by a comma; without headers that only CloudFront may set. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly port: number;
  readonly country?: string;
  /** Whether the distribution's own region fails: before it gets the request, or after it has done its work. */
  readonly originFailure?: 'before' | 'after';
  /** Value of X-Amz-Cf-Id. */
  readonly id: string;
}

/** Headers by which a caller chooses the viewer's country and address, and a failure. They aren't passed on. */
const playedCountry = 'x-sim-viewer-country';
const playedAddress = 'x-sim-viewer-address';
const playedFailure = 'x-sim-origin-failure';
const reserved = ['cloudfront-', 'x-edge-', 'x-sim-'];

export function readViewer(message: IncomingMessage): ViewerRequest {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  const headers: Record<string, string> = Object.create(null);
  const { rawHeaders } = message;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name === 'x-amz-cf-id' || reserved.some((prefix) => name.startsWith(prefix))) continue;
    const value = rawHeaders[index + 1] ?? '';
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ','}${value}`;
  }
  const country = single(message.headers[playedCountry]);
  const address = single(message.headers[playedAddress]);
  const failure = single(message.headers[playedFailure]);
  return {
    method: message.method ?? 'GET',
    uri: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    ip: address && isIP(address) ? address : plainAddress(message.socket.remoteAddress),
    port: message.socket.remotePort ?? 0,
    ...(country && { country }),
    ...((failure === 'before' || failure === 'after') && { originFailure: failure }),
    id: requestId(),
  };
}

const idBytes = 40;
/** Random bytes for 100 ids, because each draw is a system call. */
const random = Buffer.alloc(100 * idBytes);
let drawn = random.length;

/** An id in the form of CloudFront's. */
function requestId(): string {
  if (drawn === random.length) {
    randomFillSync(random);
    drawn = 0;
  }
  drawn += idBytes;
  return `${random.toString('base64url', drawn - idBytes, drawn)}==`;
}

function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function plainAddress(address = '127.0.0.1'): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

type EdgeHeader = (viewer: ViewerRequest) => string | undefined;

const userAgent = ({ headers }: ViewerRequest) => headers['user-agent'] ?? '';
const isAndroid = (agent: string) => /Android/.test(agent);
const isIos = (agent: string) => /iPhone|iPad|iPod/.test(agent);
const isTelevision = (agent: string) => /smart-?tv|appletv|googletv|hbbtv|netcast|crkey/i.test(agent);
const isTablet = (agent: string) => /iPad|Tablet/.test(agent) || /Android(?!.*Mobile)/.test(agent);
const isMobile = (agent: string) => /Mobi|iPhone|iPod/.test(agent) && !isTablet(agent);
const isDesktop = (agent: string) => !isMobile(agent) && !isTablet(agent) && !isTelevision(agent);
const by =
  (test: (agent: string) => boolean): EdgeHeader =>
  (viewer) =>
    String(test(userAgent(viewer)));

/** CloudFront's own headers about a viewer, by name in lower case. */
export const edgeHeaders: ReadonlyMap<string, EdgeHeader> = new Map<string, EdgeHeader>([
  ['cloudfront-viewer-country', ({ country }) => country],
  ['cloudfront-viewer-address', ({ ip, port }) => `${ip}:${port}`],
  ['cloudfront-forwarded-proto', () => 'http'],
  ['cloudfront-viewer-http-version', () => '1.1'],
  ['cloudfront-is-android-viewer', by(isAndroid)],
  ['cloudfront-is-ios-viewer', by(isIos)],
  ['cloudfront-is-mobile-viewer', by(isMobile)],
  ['cloudfront-is-tablet-viewer', by(isTablet)],
  ['cloudfront-is-smarttv-viewer', by(isTelevision)],
  ['cloudfront-is-desktop-viewer', by(isDesktop)],
]);
