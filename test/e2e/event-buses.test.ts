import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unique } from '../support/builders.ts';
import { contextFlags, eventually, tenantsContext } from '../support/local-stack.ts';
import { ownStack } from '../support/stack-fixtures.ts';

// On disk: without a data folder no entry is kept.
const stack = ownStack(...contextFlags(tenantsContext));

test('events go to a bus that the deployment names, and to no other', async () => {
  const admin = (verb: string, ...args: string[]) =>
    stack.admin('webhook', verb, ...args, '--project', 'demo');
  const webhook = await admin('create', 'eventbridge:orders');
  expect(webhook).not.toHaveProperty('secret');
  await expect(admin('create', 'eventbridge:others')).rejects.toThrow("doesn't name the bus 'others'");
  await expect(admin('rotate', webhook.id)).rejects.toThrow('has no secret');
  const code = unique('code');
  await stack.api('POST', '/links', { body: { code, payload: { link: 'https://example.com/' } } });
  const lines = () => {
    try {
      return readFileSync(path.join(stack.data, 'events/orders.ndjson'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  const [line = ''] = await eventually(
    async () => lines(),
    ({ length }) => length > 0,
  );
  const entry = JSON.parse(line);
  expect(entry).toMatchObject({
    Source: 'dynamic-links',
    DetailType: 'link.created',
    EventBusName: 'orders',
  });
  expect(JSON.parse(entry.Detail)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    type: 'link.created',
    timestamp: expect.any(String),
    data: { project: 'demo', link: { code } },
  });
  expect(await admin('test', webhook.id)).toMatchObject({ status: 200 });
});
