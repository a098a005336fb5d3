import { apiKeyStore } from './api-keys.ts';
import { appStore } from './apps.ts';
import { associationStore } from './associations.ts';
import { domainStore } from './domains.ts';
import { figureStore } from './figure-store.ts';
import { linkStore } from './links.ts';
import { projectStore } from './projects.ts';
import { rateStore } from './rates.ts';
import type { Table } from './table.ts';

export const openStores = (table: Table) => ({
  apiKeys: apiKeyStore(table),
  apps: appStore(table),
  associations: associationStore(table),
  domains: domainStore(table),
  figures: figureStore(table),
  links: linkStore(table),
  projects: projectStore(table),
  rates: rateStore(table),
});

export type AllStores = ReturnType<typeof openStores>;

type NounOf<Operation> = Operation extends `${infer Noun extends keyof AllStores & string}.${string}`
  ? Noun
  : never;
type VerbOf<Operation, Noun extends string> = Operation extends `${Noun}.${infer Verb}` ? Verb : never;

/** The part of the stores that the named operations make up: what a handler gets is what its contract declares. */
export type Granted<Operation extends string> = {
  readonly [Noun in NounOf<Operation>]: Pick<
    AllStores[Noun],
    VerbOf<Operation, Noun> & keyof AllStores[Noun]
  >;
};
