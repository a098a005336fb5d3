import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
  readonly json: unknown;
}

/** Sends a request as given: the path as it is, and no other headers but Host and Connection. */
export async function send(
  authority: string,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<Received> {
  const [host, port] = authority.split(':');
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { host, port, method, path, headers: { ...length, ...headers }, agent: false };
  const [response] = await once(request(options).end(body), 'response');
  const bytes = await buffer(response);
  const text = bytes.toString();
  return {
    status: response.statusCode,
    headers: response.headers,
    body: text,
    bytes,
    get json() {
      return JSON.parse(text);
    },
  };
}
