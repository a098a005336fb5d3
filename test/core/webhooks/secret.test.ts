import { secretOf, secretsOf, signatureOf } from '../../../core/webhooks/secret.ts';

const id = 'evt_2f6Q9xJ0m3kT8aZcYbR1dw';
const body =
  '{"type":"link.deleted","timestamp":"2026-11-22T12:00:00.000Z","data":{"project":"demo","code":"launch"}}';
const vector = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

test('a signature is that of Standard Webhooks 1.0.0', () => {
  expect(signatureOf({ id, timestamp: 1795348800, body }, [vector])).toBe(
    'v1,qb+ZU9RyLZ6YWszIIp5X4RhjZ1gJq8qXZLoSs+rMO1s=',
  );
});

test('each secret signs, in their order', () => {
  const signed = signatureOf({ id, timestamp: 1795348800, body }, [secretOf('any', webhook, 2), vector]);
  expect(signed).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,qb\+ZU9RyLZ6YWszIIp5X4RhjZ1gJq8qXZLoSs\+rMO1s=$/);
});

const webhook = { project: 'demo', id: 'wh_0123456789abcdef', generation: 3 };

test('a secret has 32 bytes, and differs by deployment, project, webhook and generation', () => {
  const secrets = [
    secretOf('one', webhook, 1),
    secretOf('other', webhook, 1),
    secretOf('one', { ...webhook, project: 'demo2' }, 1),
    secretOf('one', { ...webhook, id: 'wh_0123456789abcdeg' }, 1),
    secretOf('one', webhook, 2),
  ];
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
});

test('a replaced secret signs until its time is over, after the newer ones', () => {
  const until = '2026-11-23T12:00:00.000Z';
  const replaced = [
    { generation: 2, until },
    { generation: 1, until: '2026-11-22T13:00:00.000Z' },
  ];
  const at = (time: string) => secretsOf('one', { ...webhook, replaced }, new Date(time));
  const [first, second, third] = [1, 2, 3].map((generation) => secretOf('one', webhook, generation));
  expect(at('2026-11-22T12:59:59.999Z')).toEqual([third, second, first]);
  expect(at('2026-11-22T13:00:00.000Z')).toEqual([third, second]);
  expect(at(until)).toEqual([third]);
});
