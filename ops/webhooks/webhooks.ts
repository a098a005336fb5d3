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

/** The only time that the secret itself is shown. A bus of EventBridge has none. */
export interface WebhookWithSecret extends ShownWebhook {
  readonly secret?: string;
}

/** A webhook with what has become of it. */
export interface WebhookInUse extends ShownWebhook {
  readonly reason: string | null;
  /** Deliveries that wait, and those that were given up. */
  readonly pending: number;
  readonly failed: number;
  readonly lastSuccessAt: string | null;
}

export interface WebhookEdit {
  readonly url?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly name?: string | undefined;
}

/** Throws OperatorError for an unknown project, an eleventh webhook and an unknown bus, and UsageError for a bad address. */
export const createWebhook = async (
  target: Deployment,
  project: string,
  { url, events = usualTypes, name }: WebhookEdit & { readonly url: string },
): Promise<WebhookWithSecret> => {
  const access = requireWebhooks(target);
  checkUrl(url, access);
  const checked = name === undefined ? undefined : checkedName(name, "The webhook's name");
  await findProject(target, project);
  const webhook: Webhook = {
    ...{ id: newWebhookId(), project, url, events, name: checked },
    createdAt: new Date().toISOString(),
    revision: 1,
    generation: 1,
  };
  const shown = { ...show({ webhook, state: { status: 'ACTIVE' } }), ...(await secretFor(webhook, access)) };
  const outcome = await target.stores.webhooks.create(webhook);
  if (outcome === 'too many')
    throw new OperatorError(
      `The project ${project} has ${mostWebhooks} webhooks, as many as it may have: delete one first`,
    );
  // It was deleted meanwhile.
  if (outcome === 'no project') throw noProject(project);
  return shown;
};

export const listWebhooks = async (target: Deployment, project: string): Promise<WebhookInUse[]> => {
  await findProject(target, project);
  const known = await target.stores.webhooks.all(project);
  return Promise.all(known.map((one) => inUse(target, one)));
};

export const showWebhook = async (target: Deployment, place: WebhookPlace): Promise<WebhookInUse> =>
  inUse(target, await find(target, place));

export const updateWebhook = async (
  target: Deployment,
  place: WebhookPlace,
  { url, events, name }: WebhookEdit,
): Promise<WebhookInUse> => {
  if (url === undefined && events === undefined && name === undefined)
    throw new UsageError('Name what is to change: --url, --events or --name');
  if (url !== undefined) checkUrl(url, requireWebhooks(target));
  if (name !== undefined) checkedName(name, "The webhook's name");
  await change(target, place, (webhook) => ({
    ...webhook,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(name !== undefined && { name }),
  }));
  await wake(target, place);
  return showWebhook(target, place);
};

/** Keeps what waits for it, and nothing of what happens from now on. */
export const pauseWebhook = async (target: Deployment, place: WebhookPlace): Promise<WebhookInUse> => {
  const { state } = await find(target, place);
  const isStopped = await target.stores.webhookStates.stop(place, { status: 'PAUSED', now: new Date() });
  if (!isStopped) throw new OperatorError(`The webhook ${place.id} is ${state.status} already`);
  return showWebhook(target, place);
};

/** Sends what waits, and what happens from now on. */
export const activateWebhook = async (target: Deployment, place: WebhookPlace): Promise<WebhookInUse> => {
  const { webhook, state } = await find(target, place);
  const isActive = state.status === 'ACTIVE';
  if (!isActive) await target.stores.webhookStates.activate(webhook, new Date());
  // Also if a command activated it and ended before it came to this.
  await wake(target, place);
  if (isActive) throw new OperatorError(`The webhook ${place.id} is ACTIVE already`);
  return showWebhook(target, place);
};

export const deleteWebhook = async (target: Deployment, place: WebhookPlace): Promise<ShownWebhook> => {
  const known = await find(target, place);
  await target.stores.webhooks.delete(place.project, place.id);
  return { ...show(known), status: 'DELETED' };
};

/** Replaces the secret; the one before signs, too, for a day. */
export const rotateWebhook = async (target: Deployment, place: WebhookPlace): Promise<WebhookWithSecret> => {
  const access = requireWebhooks(target);
  const { webhook } = await find(target, place);
  if (busOf(webhook.url) !== undefined)
    throw new OperatorError(`The webhook ${place.id} leads to a bus, which has no secret`);
  const until = new Date(Date.now() + replacedSecretMs).toISOString();
  const now = new Date().toISOString();
  const next = await change(target, place, (one) => ({
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

/** Throws OperatorError where the stack was deployed before it had webhooks. */
export const requireWebhooks = ({ webhooks }: Deployment): WebhookAccess => {
  if (!webhooks) throw new OperatorError('This stack has no webhooks: deploy this version first');
  return webhooks;
};

export const wake = (target: Deployment, { project, id }: WebhookPlace): Promise<void> =>
  requireWebhooks(target).wake({ project, webhook: id });

const change = async (
  target: Deployment,
  place: WebhookPlace,
  next: (webhook: Webhook) => Webhook,
): Promise<KnownWebhook> =>
  untilMet(async () => {
    const { webhook, state } = await find(target, place);
    const changed = next(webhook);
    await target.stores.webhooks.change(changed);
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

/** Deliveries that wait and failed ones are each counted up to this number. */
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
