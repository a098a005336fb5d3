import { contentOf } from '../table/content.ts';
import { projectKey, suspendedKey } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, updateOf } from '../table/update.ts';
import { webhookKey, webhookPartition, webhookStateKey, webhookStatesOf } from '../table/webhook-keys.ts';
import { restoredState, type Webhook, type WebhookState } from './webhook.ts';

/** The most webhooks of a project. */
export const mostWebhooks = 10;

/** Identifies a webhook. */
export type WebhookPlace = Pick<Webhook, 'project' | 'id'>;

export interface KnownWebhook {
  readonly webhook: Webhook;
  readonly state: WebhookState;
  /** Whether operators have suspended or deleted its project; set only by `find`. */
  readonly isSuspended?: boolean;
}

export const webhookStateOf = (item: Item | undefined): WebhookState =>
  item === undefined ? restoredState : (item as unknown as WebhookState);

const ofProject = (table: Table, project: string): Promise<Item[]> =>
  table.query(itemsOf(webhookPartition(project)));

export const webhookStore = (table: Table) => ({
  /** A project's webhooks with their states, the oldest first. */
  async all(project: string): Promise<KnownWebhook[]> {
    const webhooks = await ofProject(table, project);
    if (webhooks.length === 0) return [];
    const states = await table.query(itemsOf(webhookStatesOf(project)));
    const byId = new Map(states.map((state) => [state.SK, state]));
    return webhooks
      .map((item) => ({ webhook: contentOf<Webhook>(item), state: webhookStateOf(byId.get(item.SK)) }))
      .sort((one, other) => (one.webhook.createdAt < other.webhook.createdAt ? -1 : 1));
  },

  async find(project: string, id: string): Promise<KnownWebhook | undefined> {
    const keys = [webhookKey(project, id), webhookStateKey(project, id), suspendedKey(project)];
    const [webhook, state, suspended] = await Promise.all(keys.map((key) => table.get(key)));
    if (!webhook) return undefined;
    return {
      webhook: contentOf(webhook),
      state: webhookStateOf(state),
      isSuspended: suspended !== undefined,
    };
  },

  /** Creates a webhook. The project counts creations, so that a concurrent one makes this call count webhooks again. */
  create(webhook: Webhook): Promise<'created' | 'too many' | 'no project'> {
    const { id, project } = webhook;
    return untilMet(async () => {
      const found = await table.get(projectKey(project));
      if (!found || found.deletedAt !== undefined) return 'no project';
      if ((await ofProject(table, project)).length >= mostWebhooks) return 'too many';
      const known = found.webhooksMade;
      const Update = updateOf(projectKey(project), {
        set: { webhooksMade: Number(known ?? 0) + 1 },
        when: `attribute_exists(PK) AND attribute_not_exists(#deletedAt) AND ${known === undefined ? 'attribute_not_exists(#webhooksMade)' : '#webhooksMade = :known'}`,
        values: { known },
      });
      await table.transact([
        { Put: { Item: { ...webhookKey(project, id), ...webhook } } },
        { Put: { Item: { ...webhookStateKey(project, id), status: 'ACTIVE' } } },
        { Update },
      ]);
      return 'created';
    });
  },

  /**
   * Replaces a webhook's settings. Throws ConditionFailed if it was deleted, or changed since it was read. It is a
   * transaction, so that a retry after a lost response succeeds.
   */
  change({ revision, ...webhook }: Webhook): Promise<void> {
    const Item = { ...webhookKey(webhook.project, webhook.id), ...webhook, revision: revision + 1 };
    return table.transact([{ Put: { Item, ...conditionOf('#revision = :seen', { seen: revision }) } }]);
  },

  /** Deletes a webhook. Its deliveries aren't sent, and expire. */
  delete: (project: string, id: string): Promise<void> =>
    table.transact([
      { Delete: { Key: webhookKey(project, id) } },
      { Delete: { Key: webhookStateKey(project, id) } },
    ]),
});
