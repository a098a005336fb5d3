import { createProject } from '../../../ops/projects.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '../../../ops/webhooks.ts';
import { unique } from '../../support/builders.ts';
import { startTarget, type TestTarget } from '../../support/ops-target.ts';

let target: TestTarget;
beforeAll(async () => {
  const calls = { wake: async () => undefined, secret: async () => 'secret' };
  const webhooks = { queueUrl: '', ...calls, eventBuses: [], isLocal: false };
  target = { ...(await startTarget()), webhooks };
});
afterAll(() => target.db.stop());

test('a project has at most ten webhooks, also if many are created at once', async () => {
  const project = unique('shop');
  await createProject(target, { id: project });
  const create = () => createWebhook(target, project, { url: 'https://hooks.example.com/' });
  const outcomes = await Promise.allSettled(Array.from({ length: 14 }, create));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toEqual(Array(4).fill(`The project ${project} has 10 webhooks, which is the most`));
  const [first, ...rest] = await listWebhooks(target, project);
  expect(rest).toHaveLength(9);
  await deleteWebhook(target, { project, id: first?.id ?? '' });
  await create();
  expect(await listWebhooks(target, project)).toHaveLength(10);
});
