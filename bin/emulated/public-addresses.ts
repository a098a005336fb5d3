import { request as httpRequest } from 'node:http';

/**
 * `node --import` loads this into a command. Its requests to addresses that the emulator issued then go to the
 * emulator, as DNS and TLS would route them to AWS.
 */
const emulator = new URL(process.env.AWS_ENDPOINT_URL ?? '');
const given = /\.(execute-api\.[a-z0-9-]+\.amazonaws\.com|cloudfront\.net)$/;
/** The emulator serves APIs only under this host name. */
const hostOf = ({ host }: URL): string => host.replace(/execute-api\..+$/, `execute-api.${emulator.host}`);

const untouched = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const url = new URL(request.url);
  if (!given.test(url.hostname)) return untouched(input, init);
  const body = Buffer.from(await request.arrayBuffer());
  return new Promise<Response>((resolve, reject) => {
    const sent = httpRequest(
      {
        host: emulator.hostname,
        port: emulator.port,
        method: request.method,
        path: url.pathname + url.search,
        headers: {
          'user-agent': 'node',
          ...Object.fromEntries(request.headers),
          host: hostOf(url),
          'x-forwarded-proto': url.protocol.slice(0, -1),
          'content-length': body.length,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        answer.on('end', () => resolve(responseOf(answer.statusCode ?? 500, answer.headersDistinct, chunks)));
      },
    );
    sent.on('error', reject).end(body);
  });
};

const responseOf = (status: number, headers: NodeJS.Dict<string[]>, chunks: Buffer[]): Response => {
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), {
    status,
    headers: Object.entries(headers).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
};
