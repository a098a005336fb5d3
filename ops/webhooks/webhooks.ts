import {
  addWebhook,
  changeWebhook,
  findWebhook,
  makeWebhook,
  rotateSecret,
  type WebhookEdit,
} from '../../core/webhooks/make-webhook.ts';
import { secretOf } from '../../core/webhooks/secret.ts';
import { busOf, type Webhook } from '../../core/webhooks/webhook.ts';
import type { KnownWebhook, WebhookPlace } from '../../core/webhooks/webhook-store.ts';
import { OperatorError, refusing, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { WebhookAccess } from '../deployment/webhook-access.ts';
import { findProject } from '../projects/projects.ts';

export type { WebhookPlace };

/** Creates a webhook. Throws OperatorError for an unknown project or bus, or too many; UsageError for its address. */
export const createWebhook = (
  deployment: Deployment,
  project: string,
  draft: WebhookEdit & { readonly url: string },
) =>
  refusing(async () => {
    const access = requireWebhooks(deployment);
    const webhook = makeWebhook({ ...draft, project }, access);
    await findProject(deployment, project);
    // Read first, so that no webhook is stored whose secret can't be shown.
    const secret = await secretFor(webhook, access);
    return { ...show(await addWebhook(webhook, deployment.stores.webhooks)), ...secret };
  });

export const listWebhooks = async (deployment: Deployment, project: string) => {
  await findProject(deployment, project);
  const known = await deployment.stores.webhooks.all(project);
  return Promise.all(known.map((one) => inUse(deployment, one)));
};

export const showWebhook = async (deployment: Deployment, place: WebhookPlace) =>
  inUse(deployment, await find(deployment, place));

export const updateWebhook = async (deployment: Deployment, place: WebhookPlace, edit: WebhookEdit) => {
  if (Object.values(edit).every((value) => value === undefined))
    throw new UsageError('Give --url, --events or --name: what to change');
  const receivers = requireWebhooks(deployment);
  await refusing(() => changeWebhook(place, edit, { receivers, webhooks: deployment.stores.webhooks }));
  await wake(deployment, place);
  return showWebhook(deployment, place);
};

/** Pauses a webhook: pending deliveries are kept, later events aren't added. */
export const pauseWebhook = async (deployment: Deployment, place: WebhookPlace) => {
  const { state } = await find(deployment, place);
  const isStopped = await deployment.stores.webhookStates.stop(place, { status: 'PAUSED', now: new Date() });
  if (!isStopped) throw new OperatorError(`The webhook ${place.id} is ${state.status} already`);
  return showWebhook(deployment, place);
};

/** Activates a webhook: pending deliveries and later events are sent. */
export const activateWebhook = async (deployment: Deployment, place: WebhookPlace) => {
  const { webhook, state } = await find(deployment, place);
  const isActive = state.status === 'ACTIVE';
  if (!isActive) await deployment.stores.webhookStates.activate(webhook, new Date());
  // Also needed if an earlier command activated it and ended before this.
  await wake(deployment, place);
  if (isActive) throw new OperatorError(`The webhook ${place.id} is ACTIVE already`);
  return showWebhook(deployment, place);
};

export const deleteWebhook = async (deployment: Deployment, place: WebhookPlace) => {
  const known = await find(deployment, place);
  await deployment.stores.webhooks.delete(place.project, place.id);
  return { ...show(known), status: 'DELETED' };
};

/** Replaces the secret; the earlier one also signs for a day. */
export const rotateWebhook = async (deployment: Deployment, place: WebhookPlace) => {
  const access = requireWebhooks(deployment);
  const next = await refusing(() => rotateSecret(place, deployment.stores.webhooks));
  return { ...show(next), ...(await secretFor(next.webhook, access)) };
};

/** Throws OperatorError if the project has no such webhook. */
export const find = ({ stores }: Deployment, place: WebhookPlace): Promise<KnownWebhook> =>
  refusing(() => findWebhook(place, stores.webhooks));

/** The access to webhooks. Throws OperatorError if the stack was deployed before it had them. */
export const requireWebhooks = ({ webhooks }: Deployment): WebhookAccess => {
  if (!webhooks) throw new OperatorError('This stack has no webhooks: deploy this version first');
  return webhooks;
};

export const wake = (deployment: Deployment, { project, id }: WebhookPlace): Promise<void> =>
  requireWebhooks(deployment).wake({ project, webhook: id });

/** A webhook's secret, which is shown only when it is made. EventBridge buses have none. */
const secretFor = async (webhook: Webhook, { secret }: WebhookAccess) =>
  busOf(webhook.url) === undefined ? { secret: secretOf(await secret(), webhook, webhook.generation) } : {};

const show = ({ webhook, state }: KnownWebhook) => {
  const { id, project, url, events, name, createdAt } = webhook;
  return { id, project, url, events, name: name ?? null, status: state.status, createdAt };
};

/** The most pending, and the most failed deliveries that are counted. */
const mostCounted = 100_000;

/** A webhook with the counts of its pending deliveries, and of those that were given up. */
const inUse = async ({ stores: { deliveries } }: Deployment, known: KnownWebhook) => {
  const { webhook, state } = known;
  const [pending, failed] = await Promise.all([
    deliveries.list(webhook, 'pending', mostCounted),
    deliveries.list(webhook, 'failed', mostCounted),
  ]);
  return {
    ...show(known),
    reason: state.reason ?? null,
    pending: pending.length,
    failed: failed.length,
    lastSuccessAt: state.lastSuccessAt ?? null,
  };
};
