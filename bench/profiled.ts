import { pathToFileURL } from 'node:url';
import { scopes } from '../core/keys/api-key.ts';
import { desktop } from './client.ts';

/** The child process that runs under `--cpu-prof`. */
export interface Profiled {
  readonly kind: 'redirect' | 'create';
  readonly bundle: string;
  readonly codes: readonly string[];
  /** Of the project that the links belong to. */
  readonly host: string;
  readonly seconds: number;
}

const atOnce = 16;
const { kind, bundle, codes, host, seconds }: Profiled = JSON.parse(process.argv[2] ?? '');

const redirectEvent = (n: number) => ({
  rawPath: `/${codes[n % codes.length]}`,
  rawQueryString: '',
  headers: {
    'user-agent': desktop,
    'x-forwarded-host': host,
    'x-amz-cf-id': `profile-${n}`,
    'cloudfront-viewer-address': `203.0.${n % 113}.${n % 251}:4711`,
    'cloudfront-forwarded-proto': 'https',
  },
  requestContext: { http: { method: 'GET' }, timeEpoch: Date.now(), requestId: `profile-${n}` },
});

const createEvent = (n: number) => ({
  resource: '/1.0/links',
  path: '/1.0/links',
  httpMethod: 'POST',
  headers: { 'Content-Type': 'application/json' },
  multiValueQueryStringParameters: null,
  pathParameters: null,
  body: JSON.stringify({
    payload: {
      link: 'https://example.com/landing',
      android: { package: 'com.example.app' },
      ios: { app_store_id: '123456789' },
    },
  }),
  isBase64Encoded: false,
  requestContext: {
    path: '/1.0/links',
    requestId: `profile-${n}`,
    requestTimeEpoch: Date.now(),
    authorizer: { project: 'demo', keyId: 'profile', scopes: scopes.join(' '), user: 'bench' },
  },
});

const { handler } = (await import(pathToFileURL(bundle).href)) as {
  handler: (event: object) => Promise<{ statusCode: number; body?: string }>;
};
const until = performance.now() + seconds * 1000;
let calls = 0;
const caller = async () => {
  while (performance.now() < until) {
    const n = calls++;
    const { statusCode, body } = await handler(kind === 'create' ? createEvent(n) : redirectEvent(n));
    if (statusCode !== (kind === 'create' ? 201 : 302)) throw new Error(`${kind}: ${statusCode} ${body}`);
  }
};
await Promise.all(Array.from({ length: atOnce }, caller));
process.stdout.write(JSON.stringify({ calls }));
process.exit(0);
