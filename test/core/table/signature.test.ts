import { hash } from 'node:crypto';
import { sign } from 'aws4';
import fc from 'fast-check';
import { signed } from '../../../core/table/signature.ts';

const word = fc.stringMatching(/^[A-Za-z0-9/+=]{1,40}$/);
const request = fc.record({
  method: fc.constantFrom('POST', 'PUT'),
  path: fc.constantFrom('/', '/bucket/rows/a-B_3/000123.ndjson'),
  headers: fc.record({
    host: fc.constantFrom('dynamodb.eu-central-1.amazonaws.com', '127.0.0.1:8000'),
    'x-amz-target': fc.constantFrom('DynamoDB_20120810.GetItem', 'DynamoDB_20120810.UpdateItem'),
  }),
  region: fc.constantFrom('eu-central-1', 'us-east-1', 'cn-north-1'),
  body: fc.string({ unit: 'grapheme' }),
  service: fc.constantFrom('dynamodb', 'firehose', 's3'),
});
const credentials = fc.record(
  { accessKeyId: word, secretAccessKey: word, sessionToken: word },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const time = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true });

beforeAll(() => jest.useFakeTimers());
afterAll(() => jest.useRealTimers());

test('every signature equals that of aws4', () => {
  fc.assert(
    fc.property(request, credentials, time, (one, { sessionToken, ...keys }, now) => {
      jest.setSystemTime(now);
      const hashed = one.service === 's3' && { 'x-amz-content-sha256': hash('sha256', one.body) };
      const asked = { ...one, headers: { ...one.headers, ...hashed } };
      const { authorization, ...headers } = signed(asked, { ...keys, sessionToken });
      const oracle = sign({ ...asked, host: one.headers.host, headers, doNotModifyHeaders: true }, keys);
      expect(authorization).toBe(oracle.headers?.Authorization);
    }),
  );
});

test('a token of a session is a header', () => {
  jest.setSystemTime(new Date('2026-03-01T12:34:56.789Z'));
  const headers = { host: 'localhost' };
  const one = { method: 'POST', path: '/', headers, region: 'eu-central-1', service: 'dynamodb', body: '{}' };
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  expect(signed(one, { ...keys, sessionToken: 'token' })).toEqual({
    host: 'localhost',
    'x-amz-date': '20260301T123456Z',
    'x-amz-security-token': 'token',
    authorization: expect.stringContaining(
      'Credential=AKIDEXAMPLE/20260301/eu-central-1/dynamodb/aws4_request',
    ),
  });
  expect(signed(one, keys)).not.toHaveProperty('x-amz-security-token');
});
