import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a path and headers as they are, `Host` too; `fetch` would change them. Redirects aren't followed. */
export const sendRaw = async (
  address: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawResponse> => {
  const { hostname, port } = new URL(address);
  const path = address.slice(address.indexOf('/', 'https://'.length));
  const [answer] = await once(request({ hostname, port, path, method, headers }).end(body), 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
};
