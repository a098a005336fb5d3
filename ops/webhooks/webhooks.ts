import { type EventType, usualTypes } from '../../core/events/event.ts';
import { untilMet } from '../../core/table/until-met.ts';
import { replacedSecretMs, secretOf } from '../../core/webhooks/secret.ts';
import { busOf, newWebhookId, type Webhook, webhookIdPattern } from '../../core/webhooks/webhook.ts';
import { type KnownWebhook, mostWebhooks, type WebhookPlace } from '../../core/webhooks/webhook-store.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { WebhookAccess } from '../deployment/webhook-access.ts';
import { checkedName } from '../projects/checked-name.ts';
import { findProject, noProject } from '../projects/projects.ts';
import { checkUrl } from './webhook-settings.ts';

export type { WebhookPlace };

/** A webhook as operators have set it up. */
export interface ShownWebhook {
  readonly id: string;
  readonly project: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly name: string | null;
  readonly status: string;
  readonly createdAt: string;
}

/** A webhook with its secret, which is shown only now. EventBridge buses have none. */
export interface WebhookWithSecret extends ShownWebhook {
  readonly secret?: string;
}

/** A webhook with its deliveries' counts. */
export interface WebhookInUse extends ShownWebhook {
  readonly reason: string | null;
  /** Pending deliveries, and those that were given up. */
  readonly pending: number;
  readonly failed: number;
  readonly lastSuccessAt: string | null;
}

export interface WebhookEdit {
  readonly url?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly name?: string | undefined;
}

/** Creates a webhook. Throws OperatorError for an unknown project or bus, or too many; UsageError for its address. */
export const createWebhook = async (
  deployment: Deployment,
  project: string,
  { url, events = usualTypes, name }: WebhookEdit & { readonly url: string },
): Promise<WebhookWithSecret> => {
  const access = requireWebhooks(deployment);
  checkUrl(url, access);
  const checked = name === undefined ? undefined : checkedName(name, "The webhook's name");
  await findProject(deployment, project);
  const webhook: Webhook = {
    id: newWebhookId(),
    project,
    url,
    events,
    name: checked,
    createdAt: new Date().toISOString(),
    revision: 1,
    generation: 1,
  };
  const shown = { ...show({ webhook, state: { status: 'ACTIVE' } }), ...(await secretFor(webhook, access)) };
  const outcome = await deployment.stores.webhooks.create(webhook);
  if (outcome === 'too many')
    throw new OperatorError(
      `The project ${project} has ${mostWebhooks} webhooks, which is the limit: delete one first`,
    );
  // The project was deleted meanwhile.
  if (outcome === 'no project') throw noProject(project);
  return shown;
};

export const listWebhooks = async (deployment: Deployment, project: string): Promise<WebhookInUse[]> => {
  await findProject(deployment, project);
  const known = await deployment.stores.webhooks.all(project);
  return Promise.all(known.map((one) => inUse(deployment, one)));
};

export const showWebhook = async (deployment: Deployment, place: WebhookPlace): Promise<WebhookInUse> =>
  inUse(deployment, await find(deployment, place));

export const updateWebhook = async (
  deployment: Deployment,
  place: WebhookPlace,
  { url, events, name }: WebhookEdit,
): Promise<WebhookInUse> => {
  if (url === undefined && events === undefined && name === undefined)
    throw new UsageError('Give --url, --events or --name: what to change');
  if (url !== undefined) checkUrl(url, requireWebhooks(deployment));
  if (name !== undefined) checkedName(name, "The webhook's name");
  await change(deployment, place, (webhook) => ({
    ...webhook,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(name !== undefined && { name }),
  }));
  await wake(deployment, place);
  return showWebhook(deployment, place);
};

/** Pauses a webhook: pending deliveries are kept, later events aren't added. */
export const pauseWebhook = async (deployment: Deployment, place: WebhookPlace): Promise<WebhookInUse> => {
  const { state } = await find(deployment, place);
  const isStopped = await deployment.stores.webhookStates.stop(place, { status: 'PAUSED', now: new Date() });
  if (!isStopped) throw new OperatorError(`The webhook ${place.id} is ${state.status} already`);
  return showWebhook(deployment, place);
};

/** Activates a webhook: pending deliveries and later events are sent. */
export const activateWebhook = async (deployment: Deployment, place: WebhookPlace): Promise<WebhookInUse> => {
  const { webhook, state } = await find(deployment, place);
  const isActive = state.status === 'ACTIVE';
  if (!isActive) await deployment.stores.webhookStates.activate(webhook, new Date());
  // Also needed if an earlier command activated it and ended before this.
  await wake(deployment, place);
  if (isActive) throw new OperatorError(`The webhook ${place.id} is ACTIVE already`);
  return showWebhook(deployment, place);
};

export const deleteWebhook = async (deployment: Deployment, place: WebhookPlace): Promise<ShownWebhook> => {
  const known = await find(deployment, place);
  await deployment.stores.webhooks.delete(place.project, place.id);
  return { ...show(known), status: 'DELETED' };
};

/** Replaces the secret; the earlier one also signs for a day. */
export const rotateWebhook = async (
  deployment: Deployment,
  place: WebhookPlace,
): Promise<WebhookWithSecret> => {
  const access = requireWebhooks(deployment);
  const { webhook } = await find(deployment, place);
  if (busOf(webhook.url) !== undefined)
    throw new OperatorError(`The webhook ${place.id} sends to an event bus, which has no secret`);
  const until = new Date(Date.now() + replacedSecretMs).toISOString();
  const now = new Date().toISOString();
  const next = await change(deployment, place, (one) => ({
    ...one,
    generation: one.generation + 1,
    replaced: [
      { generation: one.generation, until },
      ...(one.replaced ?? []).filter((former) => former.until > now),
    ],
  }));
  return { ...show(next), ...(await secretFor(next.webhook, access)) };
};

/** Throws OperatorError if the project has no such webhook. */
export const find = async ({ stores }: Deployment, { project, id }: WebhookPlace): Promise<KnownWebhook> => {
  const known = webhookIdPattern.test(id) ? await stores.webhooks.find(project, id) : undefined;
  if (!known) throw new OperatorError(`The project ${project} has no webhook ${id}`);
  return known;
};

/** The access to webhooks. Throws OperatorError if the stack was deployed before it had them. */
export const requireWebhooks = ({ webhooks }: Deployment): WebhookAccess => {
  if (!webhooks) throw new OperatorError('This stack has no webhooks: deploy this version first');
  return webhooks;
};

export const wake = (deployment: Deployment, { project, id }: WebhookPlace): Promise<void> =>
  requireWebhooks(deployment).wake({ project, webhook: id });

const change = async (
  deployment: Deployment,
  place: WebhookPlace,
  next: (webhook: Webhook) => Webhook,
): Promise<KnownWebhook> =>
  untilMet(async () => {
    const { webhook, state } = await find(deployment, place);
    const changed = next(webhook);
    await deployment.stores.webhooks.change(changed);
    return { webhook: changed, state };
  });

const secretFor = async (
  webhook: Webhook,
  { secret }: WebhookAccess,
): Promise<Pick<WebhookWithSecret, 'secret'>> =>
  busOf(webhook.url) === undefined ? { secret: secretOf(await secret(), webhook, webhook.generation) } : {};

const show = ({ webhook, state }: KnownWebhook): ShownWebhook => {
  const { id, project, url, events, name, createdAt } = webhook;
  return { id, project, url, events, name: name ?? null, status: state.status, createdAt };
};

/** The most pending, and the most failed deliveries that are counted. */
const mostCounted = 100_000;

const inUse = async ({ stores: { deliveries } }: Deployment, known: KnownWebhook): Promise<WebhookInUse> => {
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
