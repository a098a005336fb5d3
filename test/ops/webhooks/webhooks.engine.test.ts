import { eventOf } from '../../../core/events/event.ts';
import { webhookStateKey } from '../../../core/table/webhook-keys.ts';
import type { Wake } from '../../../core/webhooks/wake.ts';
import { newWebhookId } from '../../../core/webhooks/webhook.ts';
import { resumeProject, suspendProject } from '../../../ops/takedowns/takedowns.ts';
import { resendDeliveries } from '../../../ops/webhooks/webhook-deliveries.ts';
import {
  activateWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
  rotateWebhook,
  updateWebhook,
} from '../../../ops/webhooks/webhooks.ts';
import { ofFile } from '../../support/of-file.ts';
import { projectIn, startDeployment } from '../../support/ops-deployment.ts';

const woken: string[] = [];
const calls = { wake: async ({ webhook }: Wake) => void woken.push(webhook), secret: async () => 'secret' };
const webhooks = { queueUrl: '', ...calls, eventBuses: [], isLocal: false };
const deployment = ofFile(async () => ({ ...(await startDeployment()), webhooks }));

test('a project has at most ten webhooks, also if many are created at once', async () => {
  const project = await projectIn(deployment);
  const create = () => createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const outcomes = await Promise.allSettled(Array.from({ length: 14 }, create));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toEqual(
    Array(4).fill(`The project ${project} has 10 webhooks, which is the limit: delete one first`),
  );
  const [first, ...rest] = await listWebhooks(deployment, project);
  expect(rest).toHaveLength(9);
  const deleted = await deleteWebhook(deployment, { project, id: first?.id ?? '' });
  expect(deleted).toMatchObject({ id: first?.id, status: 'DELETED' });
  expect(await deployment.db.table.get(webhookStateKey(project, deleted.id))).toBeUndefined();
  await create();
  expect(await listWebhooks(deployment, project)).toHaveLength(10);
});

test('a project that is deleted while its webhook is created gets none', async () => {
  const project = await projectIn(deployment);
  const { create } = deployment.stores.webhooks;
  const meeting = jest.spyOn(deployment.stores.webhooks, 'create').mockImplementationOnce(async (webhook) => {
    await deployment.stores.projects.markDeleted(project, new Date());
    return create(webhook);
  });
  const creation = createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  await expect(creation).rejects.toThrow(`There is no project ${project}`);
  meeting.mockRestore();
});

test('neither of two concurrent changes is lost', async () => {
  const project = await projectIn(deployment);
  const { id } = await createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  const { change } = deployment.stores.webhooks;
  const meeting = jest.spyOn(deployment.stores.webhooks, 'change').mockImplementationOnce(async (webhook) => {
    await rotateWebhook(deployment, place);
    return change(webhook);
  });
  await updateWebhook(deployment, place, { name: 'Named' });
  meeting.mockRestore();
  const known = await deployment.stores.webhooks.find(project, id);
  expect(known?.webhook).toMatchObject({ name: 'Named', generation: 2, revision: 3 });
});

test('webhooks are listed in the order of their creation', async () => {
  const project = await projectIn(deployment);
  const times = [5, 3, 4, 1, 2].map((second) => `2026-03-01T12:00:0${second}.000Z`);
  for (const createdAt of times)
    await deployment.stores.webhooks.create({
      ...{ id: newWebhookId(), project, url: 'https://hooks.example.com/', events: [] },
      ...{ createdAt, revision: 1, generation: 1 },
    });
  const listed = await listWebhooks(deployment, project);
  expect(listed.map(({ createdAt }) => createdAt)).toEqual(times.toSorted());
});

test('a webhook that is moved, or whose deliveries are sent again, is looked at', async () => {
  const project = await projectIn(deployment);
  const { id } = await createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  await updateWebhook(deployment, place, { url: 'https://hooks.example.com/moved' });
  expect(woken.filter((one) => one === id)).toHaveLength(1);
  const at = Date.now();
  const event = eventOf({
    ...({ type: 'link.deleted', project, at, takenIn: at } as const),
    of: ['one'],
    data: {},
  });
  await deployment.stores.deliveries.add(event, [id], new Date());
  expect(await resendDeliveries(deployment, place, { failed: true })).toEqual({ resent: 0 });
  expect(woken.filter((one) => one === id)).toHaveLength(1);
  expect(await resendDeliveries(deployment, place, { event: event.id })).toEqual({ resent: 1 });
  expect(woken.filter((one) => one === id)).toHaveLength(2);
});

test('a rotation keeps the secrets that still sign, and forgets the others', async () => {
  const project = await projectIn(deployment);
  const { id } = await createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  const replaced = async () =>
    (await deployment.stores.webhooks.find(project, id))?.webhook.replaced?.map(
      ({ generation }) => generation,
    );
  await rotateWebhook(deployment, place);
  await rotateWebhook(deployment, place);
  expect(await replaced()).toEqual([2, 1]);
  const known = await deployment.stores.webhooks.find(project, id);
  if (!known) throw new Error('There is no webhook');
  const over = known.webhook.replaced?.map((one) => ({ ...one, until: '2026-01-01T00:00:00.000Z' }));
  await deployment.stores.webhooks.change({ ...known.webhook, replaced: over });
  await rotateWebhook(deployment, place);
  expect(await replaced()).toEqual([3]);
});

test('pending deliveries are sent if a command stops right after activating the webhook', async () => {
  const project = await projectIn(deployment);
  const { id } = await createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  await pauseWebhook(deployment, place);
  await activateWebhook(deployment, place);
  await expect(activateWebhook(deployment, place)).rejects.toThrow('is ACTIVE already');
  expect(woken.filter((one) => one === id)).toHaveLength(2);
});

test('a project that is resumed goes on with the pending deliveries of each webhook', async () => {
  const [project, other] = [await projectIn(deployment), await projectIn(deployment)];
  const made = (of: string) => createWebhook(deployment, of, { url: 'https://hooks.example.com/' });
  const hooks = [await made(project), await made(project)];
  await made(other);
  woken.length = 0;
  await suspendProject(deployment, project);
  expect(woken).toEqual([]);
  await resumeProject(deployment, project);
  expect(woken.toSorted()).toEqual(hooks.map(({ id }) => id).toSorted());
});
