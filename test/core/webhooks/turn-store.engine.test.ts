import { turnsKey, webhookKey } from '../../../core/table/webhook-keys.ts';
import { turnStore } from '../../../core/webhooks/turn-store.ts';
import { newWebhookId, type Webhook } from '../../../core/webhooks/webhook.ts';
import { webhookStore } from '../../../core/webhooks/webhook-store.ts';
import { startFaultyEngine } from '../../../local/testing/faulty-engine.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));

test('a turn whose end is stored without an answer still names the webhook to wake', async () => {
  const project = unique('project');
  const turns = turnStore(openWholeTable(faulty.endpoint));
  const begin = (webhook: string) => turns.begin({ project, webhook, message: webhook }, new Date());
  const first = await begin('first');
  expect([await begin('second'), await begin('third')]).toEqual([expect.anything(), undefined]);
  let lost = 0;
  faulty.fault = (operation) => (operation === 'PutItem' && lost++ === 0 ? 'lose-answer' : 'none');
  const end = await first?.end({ hasMore: false, nextMessageAt: 0, now: Date.now() });
  faulty.fault = () => 'none';
  expect(lost).toBeGreaterThan(0);
  expect(end).toEqual({ wake: 'third' });
  expect(await db.table.get(turnsKey(project))).toMatchObject({ waiting: ['third'] });
});

test('a change of a webhook whose answer is lost is made once', async () => {
  const webhooks = webhookStore(openWholeTable(faulty.endpoint));
  const project = unique('project');
  const webhook: Webhook = {
    ...{ id: newWebhookId(), project, url: 'https://hooks.example.com/', events: [] },
    ...{ createdAt: new Date().toISOString(), revision: 1, generation: 1 },
  };
  await db.table.put({ Item: { ...webhookKey(project, webhook.id), ...webhook } });
  let lost = 0;
  faulty.fault = (operation) => (operation.startsWith('Get') || lost++ > 0 ? 'none' : 'lose-answer');
  await webhooks.change({ ...webhook, generation: 2 });
  faulty.fault = () => 'none';
  expect(lost).toBeGreaterThan(1);
  expect(await db.table.get(webhookKey(project, webhook.id))).toMatchObject({ revision: 2, generation: 2 });
});
