import type { Wake } from '../../../core/webhooks/wake.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import {
  activateWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
} from '../../../ops/webhooks/webhooks.ts';
import { unique } from '../../support/builders.ts';
import { ofFile } from '../../support/of-file.ts';
import { startTarget } from '../../support/ops-target.ts';

const woken: string[] = [];
const calls = { wake: async ({ webhook }: Wake) => void woken.push(webhook), secret: async () => 'secret' };
const webhooks = { queueUrl: '', ...calls, eventBuses: [], isLocal: false };
const target = ofFile(async () => ({ ...(await startTarget()), webhooks }));

test('a project has at most ten webhooks, also if many are created at once', async () => {
  const project = unique('shop');
  await createProject(target, { id: project });
  const create = () => createWebhook(target, project, { url: 'https://hooks.example.com/' });
  const outcomes = await Promise.allSettled(Array.from({ length: 14 }, create));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toEqual(
    Array(4).fill(`The project ${project} has 10 webhooks, as many as it may have: delete one first`),
  );
  const [first, ...rest] = await listWebhooks(target, project);
  expect(rest).toHaveLength(9);
  const deleted = await deleteWebhook(target, { project, id: first?.id ?? '' });
  expect(deleted).toMatchObject({ id: first?.id, status: 'DELETED' });
  await create();
  expect(await listWebhooks(target, project)).toHaveLength(10);
});

test('what waits is sent, too, if a command ended between activating a webhook and saying so', async () => {
  const project = unique('shop');
  await createProject(target, { id: project });
  const { id } = await createWebhook(target, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  await pauseWebhook(target, place);
  await activateWebhook(target, place);
  await expect(activateWebhook(target, place)).rejects.toThrow('is ACTIVE already');
  expect(woken.filter((one) => one === id)).toHaveLength(2);
});
