import type { TableAction } from './items.ts';
import { type Partition, partitions } from './keys.ts';

/**
 * The table's actions that each store operation needs, with the kinds of items that each touches. A contract lists
 * operations, and its Lambda's role is granted exactly these actions on exactly these partition keys. IAM has no action
 * for transactions: they need those of their parts.
 */
export const access = {
  'analytics.add': {
    GetItem: ['link', 'series'],
    PutItem: ['series'],
    Query: ['series'],
    UpdateItem: ['link', 'series'],
  },
  'analytics.find': { GetItem: ['excluded'], Query: ['link'] },
  'apiKeys.get': { GetItem: ['apiKey'] },
  'apiKeys.markUsed': { UpdateItem: ['keyUse'] },
  'apps.create': { PutItem: ['project', 'idempotency'], UpdateItem: ['project'] },
  'apps.delete': { DeleteItem: ['project'], UpdateItem: ['project'] },
  'apps.existing': { BatchGetItem: ['project'] },
  'apps.get': { GetItem: ['project'] },
  'apps.list': { Query: ['project'] },
  'apps.update': { UpdateItem: ['project'] },
  'clicks.record': { UpdateItem: ['visitor'] },
  'copies.beat': { UpdateItem: ['home'] },
  'copies.item': {
    GetItem: ['associations', 'blocked', 'domain', 'home', 'link', 'project', 'suspended'],
  },
  'deliveries.add': { BatchGetItem: ['delivery'], PutItem: ['delivery', 'event'] },
  'deliveries.bodies': { BatchGetItem: ['event'] },
  'deliveries.drop': { DeleteItem: ['delivery'] },
  'deliveries.noteTest': { PutItem: ['delivery'] },
  'deliveries.pending': { Query: ['delivery'] },
  'deliveries.settle': { DeleteItem: ['delivery'], PutItem: ['delivery'] },
  'destinations.faults': { BatchGetItem: ['domain'], Query: ['blocked'] },
  'destinations.hosts': { BatchGetItem: ['domain'], Query: ['blocked'] },
  'excluded.add': { UpdateItem: ['excluded'] },
  'history.add': { PutItem: ['history'] },
  'history.find': { GetItem: ['history', 'link'] },
  'history.forget': { DeleteItem: ['history'], Query: ['history'] },
  'history.page': { GetItem: ['link'], Query: ['history'] },
  'hostShares.of': { GetItem: ['associations', 'domain'], Query: ['associations', 'suspended'] },
  'idempotency.begin': { PutItem: ['idempotency'] },
  'idempotency.find': { GetItem: ['idempotency'] },
  'idempotency.items': { Query: ['idempotency'] },
  'lateClicks.hasLink': { GetItem: ['link'] },
  'lateClicks.record': { GetItem: ['visitor'], UpdateItem: ['visitor'] },
  'links.count': { Query: ['linkList'] },
  'links.create': {
    GetItem: ['linkList'],
    PutItem: ['code', 'link', 'linkList', 'project', 'idempotency', 'tagged'],
    UpdateItem: ['linkList', 'project'],
  },
  'links.delete': {
    DeleteItem: ['link', 'linkList', 'tagged'],
    GetItem: ['link'],
    UpdateItem: ['link', 'linkList'],
  },
  'links.existing': { BatchGetItem: ['link'] },
  'links.expire': { UpdateItem: ['link'] },
  'links.firstAt': { GetItem: ['project'], Query: ['linkList'] },
  'links.get': { Query: ['link'] },
  'links.isTaken': { GetItem: ['link'] },
  'links.page': { BatchGetItem: ['link'], Query: ['linkList'] },
  'links.room': { BatchGetItem: ['link'], GetItem: ['linkList', 'project'] },
  'links.setStatus': { UpdateItem: ['link'], Query: ['blocked'] },
  'links.update': {
    DeleteItem: ['link', 'tagged'],
    GetItem: ['link', 'linkList'],
    PutItem: ['link', 'project', 'tagged'],
    Query: ['blocked'],
    UpdateItem: ['link', 'linkList', 'project'],
  },
  'links.walk': { BatchGetItem: ['link'], Query: ['linkList', 'tagged'] },
  'memberKeys.admit': { GetItem: ['member', 'memberKey', 'session'] },
  'members.change': {
    ConditionCheckItem: ['member', 'project'],
    DeleteItem: ['member', 'memberKey', 'person', 'signedIn'],
    GetItem: ['member', 'person', 'signedIn'],
    PutItem: ['member'],
    Query: ['member'],
    UpdateItem: ['member', 'person', 'project', 'rate'],
  },
  'projects.get': { GetItem: ['project'] },
  'projects.standing': { GetItem: ['project'] },
  'qrStyles.get': { GetItem: ['project'] },
  'qrStyles.put': { PutItem: ['project'] },
  'rates.peek': { GetItem: ['rate'] },
  'rates.take': { UpdateItem: ['rate'] },
  'sessions.begin': { GetItem: ['person', 'signedIn'], PutItem: ['session', 'signedIn'] },
  'sessions.end': { DeleteItem: ['session'] },
  'sessions.exchange': {
    GetItem: ['member', 'memberKey'],
    PutItem: ['memberKey'],
    UpdateItem: ['memberKey'],
  },
  'sessions.find': { GetItem: ['person', 'session'] },
  'sessions.project': { GetItem: ['project'], Query: ['member'] },
  'sessions.projects': { BatchGetItem: ['member', 'project'] },
  'sessions.useAttempt': { PutItem: ['session'] },
  'shareLinks.create': {
    PutItem: ['code', 'link', 'share'],
    UpdateItem: ['project', 'share'],
  },
  'shareLinks.find': { GetItem: ['link', 'share'] },
  'shareLinks.key': { GetItem: ['apiKey'] },
  'shortLinks.addresses': { GetItem: ['domain'], Query: ['blocked', 'suspended'] },
  'shortLinks.apps': { GetItem: ['project'] },
  'shortLinks.association': { GetItem: ['associations'] },
  'shortLinks.base': { GetItem: ['domain', 'project'] },
  'shortLinks.find': { GetItem: ['domain', 'link'], Query: ['blocked', 'suspended'] },
  'shortLinks.recentStyle': { GetItem: ['project'] },
  'shortLinks.style': { GetItem: ['project'] },
  'standby.home': { GetItem: ['home'] },
  'standby.isHidden': { Query: ['hidden'] },
  'tags.list': { GetItem: ['linkList'] },
  'takedowns.isKeyBlocked': { Query: ['blocked'] },
  'takedowns.isSuspended': { Query: ['suspended'] },
  'timeseries.find': { GetItem: ['link', 'series'], Query: ['series'] },
  'turns.begin': { DeleteItem: ['webhookTurns'], PutItem: ['webhookTurns'] },
  'webhookStates.failed': { UpdateItem: ['webhookState'] },
  'webhookStates.stop': { UpdateItem: ['webhookState'] },
  'webhookStates.succeeded': { UpdateItem: ['webhookState'] },
  'webhooks.all': { Query: ['webhook', 'webhookState'] },
  'webhooks.find': { GetItem: ['suspended', 'webhook', 'webhookState'] },
} as const satisfies Record<string, Access>;

/** The kinds of items that each action touches. */
export type Access = { readonly [Action in GrantedAction]?: readonly Partition[] };

type GrantedAction = Exclude<TableAction, 'TransactWriteItems'> | 'ConditionCheckItem';

export type StoreOperation = keyof typeof access;

/**
 * The least grants that a role needs for these operations, one for all actions on the same kinds of items. One
 * transaction may contain any of them.
 */
export const grantsFor = (operations: readonly StoreOperation[]) => {
  const needed = operations.flatMap((operation) => Object.entries<readonly Partition[]>(access[operation]));
  const byAction = Map.groupBy(needed, ([action]) => action);
  return grantsOf([
    Object.fromEntries([...byAction].map(([action, of]) => [action, of.flatMap(([, kinds]) => kinds)])),
  ]);
};

/**
 * Grants for transactions: actions, and patterns of partition keys for IAM's StringLike, such as `LINK#*`. Every write
 * is granted on all kinds that its transaction writes, because AWS doesn't document whether it checks a write's own key
 * or those of the whole transaction.
 */
export const grantsOf = (transactions: readonly Access[]) => {
  const touched = new Map<GrantedAction, Set<Partition>>();
  for (const transaction of transactions) {
    const needed = Object.entries(transaction);
    const written = needed.flatMap(([action, kinds]) => (isWrite(action) ? kinds : []));
    for (const [action, kinds] of needed) {
      const known = touched.get(action as GrantedAction) ?? [];
      touched.set(action as GrantedAction, new Set([...known, ...(isWrite(action) ? written : kinds)]));
    }
  }
  const byKeys = Map.groupBy(touched, ([, kinds]) => [...kinds].map(keyPattern).sort().join());
  return [...byKeys].map(([keys, grants]) => ({
    actions: grants.map(([action]) => action).sort(),
    leadingKeys: keys.split(','),
  }));
};

const isWrite = (action: string): boolean => !['BatchGetItem', 'GetItem', 'Query'].includes(action);

const keyPattern = (kind: Partition): string => {
  const start = partitions[kind];
  return start.endsWith('#') ? `${start}*` : start;
};
