import type { RequestListener } from 'node:http';
import type { Distribution } from '../assembly/assembly.ts';
import { errorPage } from './edge-response.ts';

/** The logical id of the distribution whose tenant the host is; undefined if it is not a tenant. */
export type TenantOf = (host: string) => Promise<string | undefined>;

export interface SharedAddress {
  /** `host:port` at which the distribution is reached on this machine. */
  readonly authority: string;
  /** The distribution that has this address. */
  readonly own: Distribution;
  readonly serveOwn: RequestListener;
  /** Distributions that serve only tenants, by logical id. */
  readonly templates: ReadonlyMap<string, RequestListener>;
  readonly tenantOf: TenantOf;
  readonly log: (text: string) => void;
}

/** Routes each request to its host's distribution. CloudFront refuses unknown hosts. */
export function createSharedAddress(options: SharedAddress): RequestListener {
  const { authority, own, serveOwn, templates, tenantOf, log } = options;
  const ownHosts = new Set([authority, authority.replace(/^127\.0\.0\.1/, 'localhost'), ...own.aliases]);
  return (request, response) => {
    const host = plainHost(request.headers.host);
    if (ownHosts.has(host)) {
      serveOwn(request, response);
      return;
    }
    tenantOf(host)
      .then((id) => {
        const serve = id === undefined ? undefined : templates.get(id);
        if (serve) return serve(request, response);
        const { statusCode, headers, body } = errorPage(
          403,
          `No distribution has the host ${readable(host)}.`,
        );
        response.writeHead(statusCode, { ...headers, 'x-cache': 'Error from cloudfront' }).end(body);
        request.resume();
      })
      .catch((error: Error) => {
        log(`${error.stack}\n`);
        response.writeHead(502, { 'x-cache': 'Error from cloudfront' }).end();
      });
  };
}

/** A normalized host: in lower case, without a final dot or a scheme's default port. */
function plainHost(host = ''): string {
  return host
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(:\d+)?$/, '$1');
}

/** The host without characters that browsers could read as markup. */
function readable(host: string): string {
  return host.replaceAll(/[^a-z0-9.:_-]/g, '?');
}
