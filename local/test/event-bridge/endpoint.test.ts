import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonService } from '../../base/json-service.ts';
import { engineClient } from '../../engine/engine-client.ts';
import { startEventBridge } from '../../event-bridge/endpoint.ts';
import { newFolder } from '../folder.ts';

const folder = newFolder();
const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/orders';
const principals = new Map([
  [
    'sender',
    { name: 'Sender', statements: [{ Effect: 'Allow' as const, Action: 'events:PutEvents', Resource: bus }] },
  ],
]);
let service: JsonService;
beforeAll(async () => {
  service = await startEventBridge({ principals, folder, enforce: true });
});
afterAll(async () => {
  await service.stop();
});

const put = async (Entries: readonly object[], caller = 'sender') => {
  const client = engineClient(service.endpoint, { service: 'AWSEvents' });
  const { text } = await client.post('PutEvents', JSON.stringify({ Entries }), caller);
  client.close();
  return JSON.parse(text) as { __type?: string; FailedEntryCount?: number };
};

const entry = { EventBusName: 'orders', Source: 'shop', DetailType: 'made', Detail: '{"n":1}' };
const kept = () => readFileSync(join(folder, 'orders.ndjson'), 'utf8');

test('entries are lines of a file of their bus, by name or ARN', async () => {
  expect(await put([entry, { ...entry, EventBusName: bus }])).toMatchObject({ FailedEntryCount: 0 });
  expect(
    kept()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([entry, { ...entry, EventBusName: bus }]);
});

test.each(['Source', 'DetailType', 'Detail'])('only the entry without %s fails', async (name) => {
  expect(await put([{ ...entry, [name]: undefined }, entry])).toMatchObject({ FailedEntryCount: 1 });
  expect(await put([{ ...entry, Detail: 'no object' }])).toMatchObject({ FailedEntryCount: 1 });
});

test('a function only puts events onto the buses of its role', async () => {
  expect((await put([{ ...entry, EventBusName: 'others' }])).__type).toMatch(/AccessDenied/);
  expect((await put([entry], 'stranger')).__type).toMatch(/UnrecognizedClient/);
});

test('a call has one to ten entries of at most 256 KB', async () => {
  expect((await put([])).__type).toMatch(/Validation/);
  expect((await put(Array.from({ length: 11 }, () => entry))).__type).toMatch(/Validation/);
  const Detail = JSON.stringify({ text: 'x'.repeat(256 * 1024) });
  expect((await put([{ ...entry, Detail }])).__type).toMatch(/Validation/);
});
