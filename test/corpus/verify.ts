import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { parseArgs } from 'node:util';
import { expectedOf, type Gets, type LinkShape, linkShapes, type SavedApp, sorts } from './corpus.ts';

export interface Service {
  readonly apiBaseUrl: string;
  readonly apiKey: string;
}

export interface Verdict {
  readonly visits: number;
  /** One line for each visitor that got something else than the corpus says. */
  readonly wrong: readonly string[];
}

/** Shapes that tell all kinds of visitors apart; every user agent visits these, one of each sort the others. */
const telling = new Set(['everything at once', 'identifiers of both apps']);
const atOnce = 16;

/** Puts the corpus' links into a running service, wherever it is, and follows them as every visitor of the corpus. */
export const verify = async (service: Service): Promise<Verdict> => {
  const wrong: string[] = [];
  const visits: (() => Promise<void>)[] = [];
  const made = await Promise.all(
    linkShapes.map(async (shape) => ({ shape, ...(await publish(service, shape)) })),
  );
  for (const { shape, shortUrl } of made) {
    for (const sort of sorts) {
      for (const userAgent of telling.has(shape.name) ? sort.userAgents : sort.userAgents.slice(0, 1)) {
        visits.push(async () => {
          const got = await follow(`${shortUrl}${shape.query ? `?${shape.query}` : ''}`, userAgent);
          const expected = JSON.stringify(expectedOf(shape, sort, shortUrl));
          if (JSON.stringify(got) !== expected) {
            wrong.push(`${shape.name}, as ${userAgent}: ${JSON.stringify(got)}, not ${expected}`);
          }
        });
      }
    }
  }
  const waiting = [...visits];
  const walker = async () => {
    for (let visit = waiting.pop(); visit; visit = waiting.pop()) await visit();
  };
  await Promise.all(Array.from({ length: atOnce }, walker));
  await Promise.all(made.map(({ code }) => call(service, 'DELETE', `/links/${code}`)));
  return { visits: visits.length, wrong };
};

const publish = async (service: Service, { payload, apps = {}, deletedApps = [] }: LinkShape) => {
  const appOf = (platform: 'ios' | 'android', fields: SavedApp) =>
    call(service, 'POST', '/mobile-apps', { name: 'Corpus', platform: platform.toUpperCase(), ...fields });
  const [ios, android] = await Promise.all([
    (apps.ios || deletedApps.includes('ios')) && appOf('ios', apps.ios ?? { bundleId: 'com.example.gone' }),
    (apps.android || deletedApps.includes('android')) &&
      appOf('android', apps.android ?? { packageName: 'com.example.gone' }),
  ]);
  const link = await call(service, 'POST', '/links', {
    payload: { ...payload, ...(ios && { iosAppId: ios.id }), ...(android && { androidAppId: android.id }) },
  });
  const saved = { ios, android };
  for (const platform of deletedApps) {
    const app = saved[platform];
    if (app) await call(service, 'DELETE', `/mobile-apps/${app.id}`);
  }
  return { code: String(link.code), shortUrl: String(link.shortUrl) };
};

const call = async ({ apiBaseUrl, apiKey }: Service, method: string, path: string, body?: object) => {
  const answer = await fetch(`${apiBaseUrl}/1.0${path}`, {
    method,
    headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
};

const plain = new Agent({ keepAlive: true });
const secure = new SecureAgent({ keepAlive: true });

/** With `http` itself, because `fetch` sends a user agent even where none is wanted. */
const follow = (url: string, userAgent: string): Promise<Gets | string> =>
  new Promise((resolve, reject) => {
    const [send, agent] = url.startsWith('https:') ? [secureRequest, secure] : [request, plain];
    const headers = userAgent === '' ? {} : { 'User-Agent': userAgent };
    const sent = send(url, { headers, agent }, (answer) => {
      let page = '';
      answer.setEncoding('utf8').on('data', (text) => (page += text));
      answer.on('error', reject).on('end', () => {
        const { location } = answer.headers;
        const [, preview] = /<meta property="og:title" content="([^"]*)">/.exec(page) ?? [];
        if (answer.statusCode === 302 && location !== undefined) resolve(location);
        else
          resolve(
            answer.statusCode === 200 && preview !== undefined ? { preview } : `HTTP ${answer.statusCode}`,
          );
      });
    });
    sent.on('error', reject).end();
  });

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { api: { type: 'string' }, key: { type: 'string' } } });
  if (!values.api || !values.key)
    throw new Error('Usage: node test/corpus/verify.ts --api API_BASE_URL --key API_KEY');
  const { visits, wrong } = await verify({ apiBaseUrl: values.api, apiKey: values.key });
  for (const line of wrong) console.error(line);
  console.log(`${visits} visits of ${linkShapes.length} links, ${wrong.length} led elsewhere`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
};

if (process.argv[1]?.endsWith('corpus/verify.ts')) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
