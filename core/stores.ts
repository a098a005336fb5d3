import { appStore } from './apps/app-store.ts';
import { clickStore } from './clicks/click-store.ts';
import { excludedStore } from './clicks/excluded-store.ts';
import { figureStore } from './clicks/figure-store.ts';
import { lateClickStore } from './clicks/late-click-store.ts';
import { projectClickStore } from './clicks/project-click-store.ts';
import { seriesStore } from './clicks/series-store.ts';
import { linkImportStore } from './links/link-import.ts';
import type { RoomMemory } from './links/link-room.ts';
import { linkStore } from './links/link-store.ts';
import { apiKeyStore } from './projects/api-key-store.ts';
import { domainStore } from './projects/domain-store.ts';
import { projectStore } from './projects/project-store.ts';
import { rateStore } from './projects/rate-store.ts';
import { retryStore } from './retries/retry-store.ts';
import { associationStore, hostShareStore } from './short-urls/association-store.ts';
import { type DeniedMemory, destinationStore, newDeniedMemory } from './short-urls/destination-store.ts';
import { shortLinkStore } from './short-urls/short-link-store.ts';
import { takedownStore } from './short-urls/takedowns.ts';
import { type VisitorReads, visitorReads } from './short-urls/visitor-reads.ts';
import type { Table } from './table/table.ts';

/** What stores know from one request to the next. */
export interface Memories {
  readonly denied: DeniedMemory;
  readonly rooms: RoomMemory;
}

export const newMemories = (): Memories => ({ denied: newDeniedMemory(), rooms: new Map() });

/** `reads` are shared by the stores that visitors wait for. */
export const openStores = (
  table: Table,
  { denied, rooms } = newMemories(),
  reads: VisitorReads = visitorReads(table),
) => ({
  apiKeys: apiKeyStore(table),
  apps: appStore(table),
  associations: associationStore(table),
  clicks: clickStore(table),
  destinations: destinationStore(table, denied),
  domains: domainStore(table),
  excluded: excludedStore(table),
  figures: figureStore(table),
  hostShares: hostShareStore(reads),
  lateClicks: lateClickStore(table),
  linkImports: linkImportStore(table),
  links: linkStore(table, rooms),
  projectClicks: projectClickStore(table),
  projects: projectStore(table),
  rates: rateStore(table),
  retries: retryStore(table),
  series: seriesStore(table),
  shortLinks: shortLinkStore(reads),
  takedowns: takedownStore(reads),
});

export type AllStores = ReturnType<typeof openStores>;

type NounOf<Operation> = Operation extends `${infer Noun extends keyof AllStores & string}.${string}`
  ? Noun
  : never;
type VerbOf<Operation, Noun extends string> = Operation extends `${Noun}.${infer Verb}` ? Verb : never;

/** The named operations of the stores: a handler gets what its contract declares. */
export type Granted<Operation extends string> = {
  readonly [Noun in NounOf<Operation>]: Pick<
    AllStores[Noun],
    VerbOf<Operation, Noun> & keyof AllStores[Noun]
  >;
};
