import { requireName } from '../base/display-name.ts';
import { Failure } from '../base/failure.ts';
import { type EventType, usualTypes } from '../events/event.ts';
import { untilMet } from '../table/until-met.ts';
import { type Reach, receiverFault } from './receiver-address.ts';
import { replacedSecretMs } from './secret.ts';
import { busOf, newWebhookId, type Webhook, webhookIdPattern } from './webhook.ts';
import { type KnownWebhook, mostWebhooks, type WebhookPlace, type webhookStore } from './webhook-store.ts';

export interface WebhookEdit {
  readonly url?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly name?: string | undefined;
}

/** Where the deployment can send events: besides addresses, these EventBridge buses. */
export interface Receivers extends Reach {
  readonly eventBuses: readonly string[];
}

type Webhooks = ReturnType<typeof webhookStore>;

/** Checks a webhook's settings. Messages don't contain the address, which may hold a secret. */
const requireSettings = ({ url, name }: WebhookEdit, { eventBuses, isLocal }: Receivers): void => {
  if (name !== undefined) requireName(name, "The webhook's name");
  if (url === undefined) return;
  const bus = busOf(url);
  const fault = bus === undefined ? receiverFault(url, { isLocal }) : undefined;
  if (fault !== undefined) {
    const message = `Events can't be sent to that address: ${fault}`;
    throw new Failure('VALIDATION_ERROR', message, [{ field: 'url', message }]);
  }
  if (bus === undefined || eventBuses.includes(bus)) return;
  const known = eventBuses.join(', ') || 'none';
  throw new Failure(
    'BAD_REQUEST',
    `The context key eventBuses doesn't name the bus '${bus}'; it names ${known}`,
  );
};

/** A new webhook, to be stored by `addWebhook`. Throws VALIDATION_ERROR for its address or name, and BAD_REQUEST for an unknown bus. */
export const makeWebhook = (
  { project, url, events = usualTypes, name }: WebhookEdit & Pick<Webhook, 'project' | 'url'>,
  receivers: Receivers,
): Webhook => {
  requireSettings({ url, name }, receivers);
  const createdAt = new Date().toISOString();
  return { id: newWebhookId(), project, url, events, name, createdAt, revision: 1, generation: 1 };
};

/** Stores a new webhook. Throws LIMIT_REACHED, and NOT_FOUND if the project doesn't exist. */
export const addWebhook = async (
  webhook: Webhook,
  webhooks: Pick<Webhooks, 'create'>,
): Promise<KnownWebhook> => {
  const outcome = await webhooks.create(webhook);
  if (outcome === 'too many')
    throw new Failure(
      'LIMIT_REACHED',
      `The project ${webhook.project} has ${mostWebhooks} webhooks, which is the limit: delete one first`,
    );
  if (outcome === 'no project') throw new Failure('NOT_FOUND', `There is no project ${webhook.project}`);
  return { webhook, state: { status: 'ACTIVE' } };
};

/** Throws NOT_FOUND if the project has no such webhook. */
export const findWebhook = async (
  { project, id }: WebhookPlace,
  webhooks: Pick<Webhooks, 'find'>,
): Promise<KnownWebhook> => {
  const known = webhookIdPattern.test(id) ? await webhooks.find(project, id) : undefined;
  if (!known) throw new Failure('NOT_FOUND', `The project ${project} has no webhook ${id}`);
  return known;
};

/** Changes the given settings of a webhook. Throws like `makeWebhook`, and NOT_FOUND. */
export const changeWebhook = async (
  place: WebhookPlace,
  { url, events, name }: WebhookEdit,
  { receivers, webhooks }: { readonly receivers: Receivers; readonly webhooks: Webhooks },
): Promise<KnownWebhook> => {
  requireSettings({ url, name }, receivers);
  return change(place, webhooks, (webhook) => ({
    ...webhook,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(name !== undefined && { name }),
  }));
};

/** Replaces a webhook's secret; the earlier one also signs for a day. Throws BAD_REQUEST for a bus, and NOT_FOUND. */
export const rotateSecret = (
  place: WebhookPlace,
  webhooks: Webhooks,
  now = new Date(),
): Promise<KnownWebhook> =>
  change(place, webhooks, (webhook) => {
    if (busOf(webhook.url) !== undefined)
      throw new Failure('BAD_REQUEST', `The webhook ${place.id} sends to an event bus, which has no secret`);
    const { generation, replaced = [] } = webhook;
    const until = new Date(now.getTime() + replacedSecretMs).toISOString();
    const valid = replaced.filter((former) => former.until > now.toISOString());
    return { ...webhook, generation: generation + 1, replaced: [{ generation, until }, ...valid] };
  });

/** Reads and changes a webhook until no other call changes it in between. */
const change = (place: WebhookPlace, webhooks: Webhooks, next: (webhook: Webhook) => Webhook) =>
  untilMet(async () => {
    const { webhook, state } = await findWebhook(place, webhooks);
    const changed = next(webhook);
    await webhooks.change(changed);
    return { webhook: changed, state };
  });
