import type { Wake } from '../../../core/webhooks/wake.ts';
import { newWebhookId } from '../../../core/webhooks/webhook.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { resumeProject, suspendProject } from '../../../ops/takedowns/takedowns.ts';
import { unique } from '../../support/builders.ts';
import { fileDeployment } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();

test('a project that is resumed goes on with the pending deliveries of each webhook', async () => {
  const [id, other] = [unique('shop'), unique('shop')];
  for (const one of [id, other]) await createProject(deployment, { id: one });
  const createdAt = new Date().toISOString();
  const hook = (project: string) => ({
    ...{ id: newWebhookId(), project, url: 'https://hooks.example.com/', events: [] },
    ...{ createdAt, revision: 1, generation: 1 },
  });
  const hooks = [hook(id), hook(id)];
  for (const one of [...hooks, hook(other)]) await deployment.stores.webhooks.create(one);
  const woken: Wake[] = [];
  const wake = async (asked: Wake) => void woken.push(asked);
  const of = { ...deployment, webhooks: { wake } as unknown as NonNullable<typeof deployment.webhooks> };
  await suspendProject(of, id);
  expect(woken).toEqual([]);
  await resumeProject(of, id);
  expect(new Set(woken)).toEqual(new Set(hooks.map(({ id: webhook }) => ({ project: id, webhook }))));
});
