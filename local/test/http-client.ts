import { type IncomingHttpHeaders, request } from 'node:http';

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
export function send(
  authority: string,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const [host, port] = authority.split(':');
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      { host, port, method, path, headers: { ...length, ...headers }, agent: false },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          bytes,
          get json() {
            return JSON.parse(text);
          },
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
