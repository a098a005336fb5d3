import { createTrialLink, payload } from './api-checks.ts';
import { answered, expectTrue, header, refused, same } from './expect.ts';
import type { Check } from './run.ts';

const withoutKey: Check['run'] = async ({ api }) => {
  for (const key of [undefined, 'dls_wrong', `dls_${'A'.repeat(40)}`]) {
    const answer = refused(await api('GET', '/links', { key }), 401, 'INVALID_API_KEY');
    expectTrue('X-RateLimit-Limit is missing', header(answer, 'x-ratelimit-limit') !== '');
  }
};

const unknownPath: Check['run'] = async ({ api }) => {
  refused(await api('GET', '/no/such/path'), 404, 'NOT_FOUND');
};

const wrongMethod: Check['run'] = async ({ api }) => {
  const refusal = async (call: object) =>
    refused(await api('PATCH', '/links', { key: undefined, ...call }), 405, 'METHOD_NOT_ALLOWED');
  // API Gateway chooses a constant response by the body's media type.
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const answer = await refusal({ body: 'no JSON', headers: { 'Content-Type': type } });
    same(`Allow for ${type}`, header(answer, 'allow'), 'GET, POST');
  }
  same('Allow for HEAD', header(await api('HEAD', '/links', { key: undefined }), 'allow'), 'GET, POST');
  await refusal({ body: 'x', headers: { 'Content-Type': 'application/x-smoke' } });
};

const badBodies: Check['run'] = async ({ api }) => {
  for (const body of ['', '{', '[]', 'null', JSON.stringify({ payload, filler: 'x'.repeat(70_000) })]) {
    refused(await api('POST', '/links', { body }), 400, 'VALIDATION_ERROR');
  }
};

const encodedPath: Check['run'] = async (session) => {
  const { api } = session;
  const { code } = await createTrialLink(session);
  const encoded = `%${code.charCodeAt(0).toString(16)}${code.slice(1)}`;
  same(
    'the code of an encoded path',
    answered(await api('GET', `/links/${encoded}`), 200).json.data.code,
    code,
  );
  // API Gateway passes path parameters on as sent, and no code contains a percent sign.
  refused(await api('GET', '/links/a%2Fb%20c'), 404, 'LINK_NOT_FOUND');
};

const notCached: Check['run'] = async ({ api }) => {
  const answer = answered(await api('GET', '/links'), 200);
  same('Cache-Control', header(answer, 'cache-control'), 'no-store');
};

export const gatewayChecks: readonly Check[] = [
  { name: "without a valid key, the gateway refuses in the API's shape", run: withoutKey },
  { name: 'unknown paths return 404 with a code', run: unknownPath },
  { name: 'a wrong method gets the allowed ones', run: wrongMethod },
  { name: 'bodies that are too large or no JSON objects are refused', run: badBodies },
  { name: 'encoded paths are decoded', run: encodedPath },
  { name: 'API responses are not cached', run: notCached },
];
