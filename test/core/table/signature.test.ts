import { sign } from 'aws4';
import fc from 'fast-check';
import { signedHeaders, signedPut } from '../../../core/table/signature.ts';

const word = fc.stringMatching(/^[A-Za-z0-9/+=]{1,40}$/);
const call = fc.record({
  host: fc.constantFrom('dynamodb.eu-central-1.amazonaws.com', '127.0.0.1:8000'),
  region: fc.constantFrom('eu-central-1', 'us-east-1', 'cn-north-1'),
  target: fc.constantFrom('DynamoDB_20120810.GetItem', 'DynamoDB_20120810.UpdateItem'),
  body: fc.string({ unit: 'grapheme' }),
  service: fc.constantFrom('dynamodb' as const, 'firehose' as const),
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
    fc.property(call, credentials, time, (one, { sessionToken, ...keys }, now) => {
      jest.setSystemTime(now);
      const { authorization, ...headers } = signedHeaders(one, { ...keys, sessionToken });
      const { host, region, body, service } = one;
      const request = { service, method: 'POST', path: '/', host, region, body };
      const oracle = sign({ ...request, headers, doNotModifyHeaders: true }, keys);
      expect(authorization).toBe(oracle.headers?.Authorization);
    }),
  );
});

test('so does that of a file for S3', () => {
  fc.assert(
    fc.property(call, credentials, time, ({ host, region, body }, { sessionToken, ...keys }, now) => {
      jest.setSystemTime(now);
      const path = '/bucket/rows/a-B_3/000123.ndjson';
      const { authorization, ...headers } = signedPut(
        { host, region, path, body },
        { ...keys, sessionToken },
      );
      const request = { service: 's3', method: 'PUT', path, host, region, body };
      const oracle = sign({ ...request, headers, doNotModifyHeaders: true }, keys);
      expect(authorization).toBe(oracle.headers?.Authorization);
    }),
  );
});

test('the headers are those that DynamoDB requires', () => {
  jest.setSystemTime(new Date('2026-03-01T12:34:56.789Z'));
  const one = { host: 'localhost', region: 'eu-central-1', target: 'DynamoDB_20120810.GetItem', body: '{}' };
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  expect(signedHeaders(one, { ...keys, sessionToken: 'token' })).toEqual({
    'content-type': 'application/x-amz-json-1.0',
    host: 'localhost',
    'x-amz-date': '20260301T123456Z',
    'x-amz-security-token': 'token',
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    authorization: expect.stringContaining(
      'Credential=AKIDEXAMPLE/20260301/eu-central-1/dynamodb/aws4_request',
    ),
  });
  expect(signedHeaders(one, keys)).not.toHaveProperty('x-amz-security-token');
});
