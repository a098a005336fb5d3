import { analyticsStore } from './analytics/analytics-store.ts';
import { timeseriesStore } from './analytics/timeseries-store.ts';
import { apiKeyStore } from './api-keys/api-key-store.ts';
import { rateStore } from './api-keys/rate-store.ts';
import { appStore } from './apps/app-store.ts';
import { memoryTimes, type VisitorReads, visitorReads } from './cached-reads/visitor-reads.ts';
import { destinationStore } from './destinations/destination-store.ts';
import { takedownStore } from './destinations/takedowns.ts';
import { historyStore } from './history/history-store.ts';
import { domainStore } from './hosts/domain-store.ts';
import { idempotencyStore } from './idempotency/idempotency-store.ts';
import { linkImportStore } from './links/link-import.ts';
import { linkStore } from './links/link-store.ts';
import { tagStore } from './links/link-tags.ts';
import { memberKeyStore } from './members/member-admission.ts';
import { memberStore } from './members/member-store.ts';
import { sessionStore } from './members/session-store.ts';
import { projectStore } from './projects/project-store.ts';
import { qrStyleStore } from './qr-styles/qr-style-store.ts';
import { shareLinkStore } from './share-links/share-link-store.ts';
import { associationStore, hostShareStore } from './short-urls/association-store.ts';
import { shortLinkStore } from './short-urls/short-link-store.ts';
import { copiesStore } from './standby/copy-store.ts';
import { standbyStore } from './standby/home.ts';
import type { Table } from './table/table.ts';
import { clickStore } from './visits/click-store.ts';
import { excludedStore } from './visits/excluded-store.ts';
import { lateClickStore } from './visits/late-click-store.ts';
import { deliveryStore } from './webhooks/delivery-store.ts';
import { turnStore } from './webhooks/turn-store.ts';
import { webhookStateStore } from './webhooks/webhook-state-store.ts';
import { webhookStore } from './webhooks/webhook-store.ts';

/** Reads for operators, which don't cache blocked destinations. */
const freshReads = (table: Table) => visitorReads(table, { memory: { ...memoryTimes, blocking: 0 } });

/** All stores, for operators. Functions open only their own. */
export const openStores = (table: Table, reads: VisitorReads = freshReads(table)) => ({
  apiKeys: apiKeyStore(table),
  apps: appStore(table),
  associations: associationStore(table),
  clicks: clickStore(table),
  copies: copiesStore(table),
  deliveries: deliveryStore(table),
  destinations: destinationStore(table, reads),
  domains: domainStore(table),
  excluded: excludedStore(table),
  analytics: analyticsStore(table),
  history: historyStore(table),
  hostShares: hostShareStore(reads),
  idempotency: idempotencyStore(table),
  lateClicks: lateClickStore(table),
  linkImports: linkImportStore(table),
  links: linkStore(table, reads),
  memberKeys: memberKeyStore(table),
  members: memberStore(table),
  projects: projectStore(table),
  qrStyles: qrStyleStore(table),
  rates: rateStore(table),
  sessions: sessionStore(table),
  shareLinks: shareLinkStore(table),
  shortLinks: shortLinkStore(reads),
  standby: standbyStore(reads),
  tags: tagStore(table),
  takedowns: takedownStore(reads),
  timeseries: timeseriesStore(table),
  turns: turnStore(table),
  webhookStates: webhookStateStore(table),
  webhooks: webhookStore(table),
});

export type AllStores = ReturnType<typeof openStores>;

type NounOf<Operation> = Operation extends `${infer Noun extends keyof AllStores & string}.${string}`
  ? Noun
  : never;
type VerbOf<Operation, Noun extends string> = Operation extends `${Noun}.${infer Verb}` ? Verb : never;

/** The stores with only these operations: a handler gets those that its contract declares. */
export type Granted<Operation extends string> = {
  readonly [Noun in NounOf<Operation>]: Pick<
    AllStores[Noun],
    VerbOf<Operation, Noun> & keyof AllStores[Noun]
  >;
};

/** Functions that open the stores of these operations. */
export type Openers<Operation extends string> = {
  readonly [Noun in keyof Granted<Operation>]: (
    table: Table,
    reads: VisitorReads,
  ) => Granted<Operation>[Noun];
};
