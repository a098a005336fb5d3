import type { APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { generateApiKey, identifyKey } from '../../core/api-keys/api-key.ts';
import { apiKeyStore } from '../../core/api-keys/api-key-store.ts';
import { memberKeyStore } from '../../core/members/member-admission.ts';
import { memberStore } from '../../core/members/member-store.ts';
import { sessionStore } from '../../core/members/session-store.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { anApiKey } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { handlerOf } from '../support/handler-of.ts';
import { hurried } from '../support/hurried.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const log = ofFile(captureFunctionLog);
const load = () => {
  // Each reads its environment.
  jest.resetModules();
  return import('../../lambdas/authorize.ts');
};
const handler = handlerOf(load, faulty, { PLAN_KEYS: 'plan' });
const issuer = 'https://id.example.com';
const whereMembersSignIn = handlerOf(load, faulty, { PLAN_KEYS: 'plan', SIGN_IN: issuer });
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  faulty.fault = (operation) => {
    asked.push(operation);
    return 'none';
  };
});

const methodArn = 'arn:aws:execute-api:eu-west-1:123456789012:api/dev/GET/1.0/links';
const authorize = (authorizationToken: string, by = handler) =>
  by(
    { type: 'TOKEN', authorizationToken, methodArn } as APIGatewayTokenAuthorizerEvent,
    { awsRequestId: 'r' } as Context,
  );

test('an unknown key is looked up each time, and works from its creation until it is revoked', async () => {
  const keys = apiKeyStore(db.table);
  const apiKey = generateApiKey();
  for (let again = 0; again < 2; again += 1)
    await expect(authorize(apiKey)).rejects.toThrow(/^Unauthorized$/);
  expect(asked).toEqual(['GetItem', 'GetItem']);
  const key = anApiKey(apiKey, { project: 'acme' });
  await keys.create(key);
  expect(await authorize(apiKey)).toMatchObject({
    principalId: key.keyId,
    context: { project: 'acme', keyId: key.keyId },
    policyDocument: { Statement: [{ Effect: 'Allow', Resource: expect.stringMatching(/:api\/dev\/\*$/) }] },
  });
  await keys.revoke(key.keyId, new Date());
  await expect(authorize(apiKey)).rejects.toThrow(/^Unauthorized$/);
});

test('a malformed key makes no table call', async () => {
  await expect(authorize('dls_too-short')).rejects.toThrow(/^Unauthorized$/);
  expect(asked).toEqual([]);
});

describe("a member's key", () => {
  const now = new Date();
  let key = '';
  let keyId = '';
  let token = '';
  beforeAll(async () => {
    const createdAt = now.toISOString();
    await projectStore(db.table).create({ id: 'shop', name: 'Shop', subscription: 'active', createdAt });
    const email = 'ann@example.com';
    await memberStore(db.table).add({ email, project: 'shop', role: 'viewer' }, now);
    const sessions = sessionStore(db.table);
    const begun = await sessions.begin(email, 'subject', now);
    ({ token } = begun as { token: string });
    const session = await sessions.find(token, now);
    const made = session && (await sessions.exchange(session, 'shop', now));
    ({ key } = made as { key: string });
    ({ keyId } = identifyKey(key));
  });

  test('without sign-in is refused, and costs no call', async () => {
    expect(await memberKeyStore(db.table).admit(key, now)).toMatchObject({ project: 'shop' });
    asked = [];
    await expect(authorize(key)).rejects.toThrow(/^Unauthorized$/);
    expect(asked).toEqual([]);
  });

  test('costs two reads more than others, which cost as much as without sign-in', async () => {
    const context = { project: 'shop', keyId, scopes: 'links:read apps:read' };
    expect(await authorize(key, whereMembersSignIn)).toMatchObject({ context });
    expect(asked).toEqual(['GetItem', 'GetItem', 'GetItem']);
    for (const none of ['dls_m_short', `${key}x`])
      await expect(authorize(none, whereMembersSignIn)).rejects.toThrow(/^Unauthorized$/);
    expect(asked).toHaveLength(3);
    const apiKey = generateApiKey();
    await apiKeyStore(db.table).create(anApiKey(apiKey, { project: 'acme' }));
    asked = [];
    await authorize(apiKey, whereMembersSignIn);
    await authorize(apiKey, whereMembersSignIn);
    expect(asked).toEqual(['GetItem', 'UpdateItem', 'GetItem']);
  });

  test('ends with its session', async () => {
    await sessionStore(db.table).end(token);
    await expect(authorize(key, whereMembersSignIn)).rejects.toThrow(/^Unauthorized$/);
  });
});

test('a failing table is an internal error, not an unknown key', async () => {
  faulty.fault = () => 'throttle';
  await expect(hurried(() => authorize(generateApiKey()))).rejects.not.toThrow(/^Unauthorized$/);
  expect(log.lines.join('')).toContain('A key could not be looked up');
});

test('a table that takes no notes of keys in use holds up no request', async () => {
  const apiKey = generateApiKey();
  await apiKeyStore(db.table).create(anApiKey(apiKey, { project: 'acme' }));
  faulty.fault = (operation) => {
    asked.push(operation);
    return operation === 'UpdateItem' ? 'hang' : 'none';
  };
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const answer = authorize(apiKey);
  while (!asked.includes('UpdateItem')) await new Promise((resolve) => setImmediate(resolve));
  await jest.advanceTimersByTimeAsync(300);
  jest.useRealTimers();
  expect(await answer).toMatchObject({ context: { project: 'acme' } });
});
