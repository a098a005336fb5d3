import { openStores } from '../../../core/stores.ts';
import { forOperators } from '../../../core/table/retry-policy.ts';
import { openTable } from '../../../core/table/whole-table.ts';
import { startFaultyEngine } from '../../../local/testing/faulty-engine.ts';
import type { Deployment } from '../../../ops/deployment/deployment.ts';
import { sdkTransport } from '../../../ops/deployment/sdk-client.ts';
import { localAccess } from '../../../ops/deployment/service-access.ts';
import { addLink } from '../../../ops/links/link-edits.ts';
import { showLink } from '../../../ops/links/links.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { blockLink, unblockLink } from '../../../ops/takedowns/takedowns.ts';
import { activateWebhook, createWebhook, pauseWebhook, showWebhook } from '../../../ops/webhooks/webhooks.ts';
import { unique } from '../../support/builders.ts';
import { ofFile } from '../../support/of-file.ts';
import { fileDeployment } from '../../support/ops-deployment.ts';

const whole = fileDeployment();
const faulty = ofFile(() => startFaultyEngine(whole.db.endpoint));
/** The same tables by way of an engine whose answers can be lost. */
let deployment: Deployment;
let project: string;
beforeAll(async () => {
  const calls = { wake: async () => undefined, secret: async () => 'secret' };
  const webhooks = { queueUrl: '', ...calls, eventBuses: [], isLocal: false };
  const props = { name: whole.tableName, policy: forOperators };
  const table = openTable(sdkTransport(localAccess(faulty.endpoint)), props);
  deployment = { ...whole, webhooks, stores: openStores(table) };
});
beforeEach(async () => {
  project = unique('shop');
  await createProject(whole, { id: project });
});
afterEach(() => {
  faulty.fault = () => 'none';
});

/** Loses the answer to the first update of such an item, after it was carried out. */
const losing = async (of: string, act: () => Promise<unknown>): Promise<unknown> => {
  let lost = 0;
  faulty.fault = (operation, body) => {
    if (operation !== 'UpdateItem' || !body.includes(of) || lost > 0) return 'none';
    lost += 1;
    return 'lose-answer';
  };
  const outcome = await act().catch((error) => error.message);
  expect(lost).toBe(1);
  return outcome;
};

test('a webhook is paused, also if the answer is lost, and is not paused twice', async () => {
  const { id } = await createWebhook(deployment, project, { url: 'https://hooks.example.com/' });
  const place = { project, id };
  const pause = () => losing(id, () => pauseWebhook(deployment, place));
  expect(await pause()).toMatchObject({ id, status: 'PAUSED' });
  expect(await pause()).toBe(`The webhook ${id} is PAUSED already`);
  faulty.fault = () => 'none';
  await activateWebhook(deployment, place);
  expect(await pause()).toMatchObject({ status: 'PAUSED' });
  expect(await showWebhook(deployment, place)).toMatchObject({ status: 'PAUSED' });
});

test('a link is unblocked, also if the answer is lost, and is not unblocked twice', async () => {
  const { code } = await addLink(deployment, project, { payload: { link: 'https://example.com/' } });
  await blockLink(deployment, { project, code });
  const unblock = () => losing(code, () => unblockLink(deployment, { project, code }));
  expect(await unblock()).toEqual({ project, code });
  await expect(unblockLink(deployment, { project, code })).rejects.toThrow(
    `The project ${project} has no blocked link ${code}`,
  );
  expect(await showLink(deployment, project, code)).toMatchObject({ status: 'ACTIVE' });
});
