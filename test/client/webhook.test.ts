import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { verifyWebhook, WebhookVerificationError } from '../../client/index.ts';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const body =
  '{"type":"link.deleted","timestamp":"2026-11-22T12:00:00.000Z","data":{"project":"demo","code":"launch"}}';
const headers = {
  'webhook-id': 'evt_2f6Q9xJ0m3kT8aZcYbR1dw',
  'webhook-timestamp': '1795348800',
  'webhook-signature': 'v1,qb+ZU9RyLZ6YWszIIp5X4RhjZ1gJq8qXZLoSs+rMO1s=',
};
const at = { now: 1795348800_000 };
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const signed = (text: string | Uint8Array) => {
  const key = Buffer.from(secret.slice(6), 'base64');
  const mac = createHmac('sha256', key).update(`evt_1.1795348800.`).update(text).digest('base64');
  return { ...headers, 'webhook-id': 'evt_1', 'webhook-signature': `v1,${mac}` };
};

/** The reason of a refusal. */
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'verified',
    (error) => {
      expect(error).toBeInstanceOf(WebhookVerificationError);
      return error.reason;
    },
  );

test.each<[string, string | Uint8Array | ArrayBuffer]>([
  ['text', body],
  ['bytes', Buffer.from(body)],
  ['a buffer', new TextEncoder().encode(body).buffer],
])('the test vector is verified as %s', async (_, given) => {
  expect(await verifyWebhook(given, headers, secret, at)).toEqual(JSON.parse(body));
});

test('headers may be those of fetch or of Node, in any case', async () => {
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const given of [new Headers(headers), upper, { ...headers, 'webhook-id': [headers['webhook-id']] }]) {
    expect(await reasonOf(verifyWebhook(body, given, secret, at))).toBe('verified');
  }
});

test('one of several secrets is enough, and one of several signatures', async () => {
  expect(await reasonOf(verifyWebhook(body, headers, [otherSecret, secret], at))).toBe('verified');
  const rotated = `v1,AAAA v2,other ${headers['webhook-signature']}`;
  for (const signatures of [rotated, rotated.split(' ')]) {
    const given = { ...headers, 'webhook-signature': signatures };
    expect(await reasonOf(verifyWebhook(body, given, secret, at))).toBe('verified');
  }
});

test('no more than ten signatures are looked at', async () => {
  const after = (others: number) => ({
    ...headers,
    'webhook-signature': [...Array(others).fill('v1,AAAA'), headers['webhook-signature']].join(' '),
  });
  expect(await reasonOf(verifyWebhook(body, after(9), secret, at))).toBe('verified');
  expect(await reasonOf(verifyWebhook(body, after(10), secret, at))).toBe('signature');
});

test.each<[string, object, string]>([
  ['headers', { 'webhook-id': undefined }, body],
  ['headers', { 'webhook-timestamp': undefined }, body],
  ['headers', { 'webhook-timestamp': 'yesterday' }, body],
  ['headers', { 'webhook-timestamp': '1795348800.5' }, body],
  ['headers', { 'webhook-signature': '' }, body],
  ['signature', { 'webhook-signature': 'v1,%%%' }, body],
  ['signature', { 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') }, body],
  ['signature', { 'webhook-id': 'evt_other' }, body],
  ['signature', { 'webhook-timestamp': '1795348801' }, body],
  ['signature', {}, `${body} `],
])('refused for its %s: %j', async (reason, changed, text) => {
  expect(await reasonOf(verifyWebhook(text, { ...headers, ...changed }, secret, at))).toBe(reason);
});

test('no other secret verifies', async () => {
  expect(await reasonOf(verifyWebhook(body, headers, otherSecret, at))).toBe('signature');
  expect(await reasonOf(verifyWebhook(body, headers, [], at))).toBe('signature');
});

test.each<[number, { toleranceSeconds?: number }, string]>([
  [300_000, {}, 'verified'],
  [-300_000, {}, 'verified'],
  [301_000, {}, 'timestamp'],
  [-301_000, {}, 'timestamp'],
  [Number.NaN, {}, 'timestamp'],
  [9000, { toleranceSeconds: 8 }, 'timestamp'],
  [9000, { toleranceSeconds: 9 }, 'verified'],
])('a request may be five minutes off, or the chosen time: %d ms, %j', async (ms, chosen, outcome) => {
  const options = { now: at.now + ms, ...chosen };
  expect(await reasonOf(verifyWebhook(body, headers, secret, options))).toBe(outcome);
});

test.each(['not JSON', 'null', '[]', '{"type": 1, "data": {}}', '{"type": "link.created"}'])(
  'a signed body that is no event is refused: %s',
  async (text) => {
    expect(await reasonOf(verifyWebhook(text, signed(text), secret, at))).toBe('body');
  },
);

test('any event that is signed is verified, and none with another byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.nat(), async (json, place) => {
      const bytes = Buffer.from(`{"type":"link.created","data":{"value":${json}}}`);
      expect(await reasonOf(verifyWebhook(bytes, signed(bytes), secret, at))).toBe('verified');
      const changed = Buffer.from(bytes);
      changed[place % bytes.length] = (changed[place % bytes.length] ?? 0) ^ 1;
      expect(await reasonOf(verifyWebhook(changed, signed(bytes), secret, at))).toBe('signature');
    }),
  );
});

test.each([undefined, '', 'whsec_', 'whsec_%%%'])(
  'an invalid secret is a mistake of the program: %s',
  async (given) => {
    await expect(verifyWebhook(body, headers, given as string, at)).rejects.toThrow(TypeError);
  },
);

test.each([
  ['"', `"${secret}"`],
  ["'", `'${secret}'`],
  ['v1,', `v1,${secret}`],
])('a secret with %s in front of it is refused with that', async (around, given) => {
  const said = `without ${around} in front`;
  await expect(verifyWebhook(body, headers, given, at)).rejects.toThrow(said);
});

test.each([JSON.parse(body), undefined, null])(
  'a body that was parsed is a mistake of the program: %j',
  async (given) => {
    const verified = verifyWebhook(given, headers, secret, at);
    await expect(verified).rejects.toThrow(TypeError);
    await expect(verified).rejects.toThrow('the body must be raw');
  },
);
