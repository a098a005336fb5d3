import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readJsonBody } from '../../../lambdas/frame/json-body.ts';

/** The members of an event that are read. */
const event = (body: string | null, fields: Partial<APIGatewayProxyEvent> = {}) =>
  ({
    headers: { 'CONTENT-type': 'application/json' },
    body,
    isBase64Encoded: false,
    ...fields,
  }) as unknown as APIGatewayProxyEvent;

const base64 = (content: string | Buffer) =>
  event(Buffer.from(content).toString('base64'), { isBase64Encoded: true });

test('a body that the gateway encoded as binary is also read', async () => {
  expect(await readJsonBody(base64('{"name":"ü"}'))).toEqual({ name: 'ü' });
});

test.each([
  ['text', event('\ufeff{"name":"ü"}')],
  ['bytes', base64('\ufeff{"name":"ü"}')],
])('a byte order mark in %s is ignored', async (_, given) => {
  expect(await readJsonBody(given)).toEqual({ name: 'ü' });
});

test.each([
  ['bytes in Latin-1', base64(Buffer.from('{"name":"ü"}', 'latin1'))],
  ['text in which the gateway replaced bytes', event('{"name":"\ufffd"}')],
])('%s: VALIDATION_ERROR that names UTF-8', async (_, given) => {
  const shown = { code: 'VALIDATION_ERROR', message: expect.stringContaining('UTF-8') };
  await expect(readJsonBody(given)).rejects.toMatchObject(shown);
});

test('U+FFFD is accepted where it was sent', async () => {
  expect(await readJsonBody(base64('{"name":"\ufffd"}'))).toEqual({ name: '\ufffd' });
  expect(await readJsonBody(event(String.raw`{"name":"\ufffd"}`))).toEqual({ name: '\ufffd' });
});

test.each([
  ['bytes that are no text', base64(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
  ['base64 marked as text', event(Buffer.from('{}').toString('base64'))],
  ['a body over the limit, encoded', base64(`"${'x'.repeat(65_536)}"`)],
  ['no body', event(null)],
  ['no headers', event('{}', { headers: {} })],
])('%s: VALIDATION_ERROR', async (_, given) => {
  await expect(readJsonBody(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('the limit counts the sent bytes', async () => {
  const text = `"${'ü'.repeat(32_767)}"`;
  expect(Buffer.byteLength(text)).toBe(65_536);
  expect(await readJsonBody(base64(text))).toHaveLength(32_767);
  expect(await readJsonBody(event(text))).toHaveLength(32_767);
  await expect(readJsonBody(event(`${text} `))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
