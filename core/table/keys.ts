/** A key of the table. Only this file and the other `*-keys.ts` build them. */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** Attributes that the table's definition names. */
export const tableSchema = {
  partitionKey: 'PK',
  sortKey: 'SK',
  ttl: 'ttl',
  /** Sparse index for operators' lists: projects, API keys, members and hosts. */
  listings: { name: 'listings', partitionKey: 'LPK', sortKey: 'LSK' },
} as const;

/** An item's keys in the `listings` index. */
export type ListingKey = Readonly<Record<'LPK' | 'LSK', string>>;

/** Prefixes of partition keys that continue with the project. */
const ofProjects = {
  delivery: 'DELIVERIES#',
  event: 'EVENT#',
  excluded: 'EXCLUDED#',
  history: 'HISTORY#',
  link: 'LINK#',
  linkList: 'LINKS#',
  member: 'MEMBERS#',
  project: 'PROJECT#',
  idempotency: 'RETRY#',
  series: 'SERIES#',
  share: 'SHARE#',
  tagged: 'TAGGED#',
  visitor: 'VISITOR#',
  webhook: 'WEBHOOKS#',
  webhookState: 'WEBHOOKSTATE#',
  webhookTurns: 'WEBHOOKTURNS#',
} as const;

/**
 * The prefix of each kind's partition keys, or the whole key. Roles are limited to these. Partitions listed only here
 * belong to no project, or name it elsewhere: the deletion of a project must handle each new one.
 */
export const partitions = {
  ...ofProjects,
  apiKey: 'KEY#',
  keyUse: 'KEYUSE#',
  associations: 'ASSOCIATIONS',
  code: 'CODE#',
  blocked: 'DENIED',
  domain: 'DOMAIN#',
  home: 'HOME',
  memberKey: 'MEMBERKEY#',
  person: 'PERSON#',
  rate: 'RATE#',
  hidden: 'STANDBYDENIED',
  suspended: 'SUSPENDED',
  session: 'SESSION#',
  signedIn: 'SIGNEDIN#',
} as const;

export type Partition = keyof typeof partitions;

/** A key in a kind's partition with this id. */
export const keyIn = (kind: Partition, id: string, SK: string): Key => ({ PK: partitions[kind] + id, SK });

/** Sort keys of single items, and prefixes of those of many. */
export const sortKeys = {
  apiKey: 'KEY',
  app: 'APP#',
  apps: 'APPS',
  expiry: 'EXPIRY',
  link: 'LINK',
  place: 'LINK#',
  segment: 'SEGMENT#',
  totals: 'STATS',
} as const;

/** Partition keys of the `listings` index. */
export const listings = {
  projects: 'PROJECTS',
  members: 'MEMBERS',
  domains: 'DOMAINS',
  keysOf: (project: string) => `KEYS#${project}`,
} as const;

export const projectKey = (project: string): Key => keyIn('project', project, 'PROJECT');
export const projectListing = (project: string): ListingKey => ({ LPK: listings.projects, LSK: project });

export const appKey = (project: string, app: string): Key => keyIn('project', project, sortKeys.app + app);
/** The prefix of the keys of a project's apps. */
export const projectAppsKey = (project: string): Key => appKey(project, '');

export const appCountKey = (project: string): Key => keyIn('project', project, sortKeys.apps);

export const apiKeyKey = (keyId: string): Key => keyIn('apiKey', keyId, sortKeys.apiKey);
export const apiKeyListing = (project: string, createdAt: string, keyId: string): ListingKey => ({
  LPK: listings.keysOf(project),
  LSK: `${createdAt}#${keyId}`,
});

/** The time of an API key's last use. */
export const keyUseKey = (keyId: string): Key => keyIn('keyUse', keyId, 'KEYUSE');

/** A host's item, whatever its case, port and trailing dot. */
export const domainKey = (host: string): Key =>
  keyIn('domain', host.toLowerCase().replace(/\.?(:\d+)?$/, ''), 'DOMAIN');
export const domainListing = (host: string): ListingKey => ({ LPK: listings.domains, LSK: host });

/** A suspended project. All are in one partition, because functions cache the whole list. */
export const suspendedKey = (project: string): Key => ({ PK: partitions.suspended, SK: project });

/** A blocked destination. All are in one partition, because functions cache the whole list. */
export const blockedKey = (host: string): Key => ({ PK: partitions.blocked, SK: host });

/** The state of copying to the second region. In its table: how to reach the first region. */
export const homeKey: Key = { PK: partitions.home, SK: 'HOME' };

/** A link that is hidden in the second region. Only its table has such items, all in one partition. */
export const hiddenKey = ({ project, code }: LinkId): Key => ({
  PK: partitions.hidden,
  SK: `${project}#${code}`,
});

/** A project's app associations. All are in one partition, because a shared host needs those of every project. */
export const associationKey = (project: string): Key => ({ PK: partitions.associations, SK: project });

/** Identifies a link. */
export interface LinkId {
  readonly project: string;
  readonly code: string;
}

/** A link's item; its totals are in the same partition. */
export const linkKey = (project: string, code: string): Key =>
  keyIn('link', `${project}#${code}`, sortKeys.link);
export const expiryKey = (project: string, code: string): Key =>
  keyIn('link', `${project}#${code}`, sortKeys.expiry);

/** Partition keys of a project: exactly these, and all that begin with one of them and `#`. */
export const projectPartitions = (project: string): string[] =>
  Object.values(ofProjects).map((start) => start + project);

/** The project that a partition belongs to, or undefined. */
export const ownerOfPartition = (PK: string): string | undefined => {
  const [project = ''] = PK.split('#').slice(1);
  return projectPartitions(project).some((own) => PK === own || PK.startsWith(`${own}#`))
    ? project
    : undefined;
};

/** Reserves a generated code, which is unique in the whole deployment. */
export const codeKey = (code: string): Key => keyIn('code', code, 'CODE');

/** A link's place in its project's list, sorted by segment, then by creation. */
export const listedLinkKey = (project: string, segment: string, createdAt: string, code: string): Key =>
  keyIn('linkList', project, `${sortKeys.place}${segment}#${createdAt}#${code}`);
/** The prefix of the keys of all places. */
export const linkListOf = (project: string): Key => keyIn('linkList', project, sortKeys.place);

/** A link's place in the list of links with a tag. */
export const taggedLinkKey = (project: string, tag: string, place: Key): Key =>
  keyIn('tagged', `${project}#${tag}`, place.SK);

/** The names of the tags that a project's links have or had. */
export const tagNamesKey = (project: string): Key => keyIn('linkList', project, 'TAGS');

/** One of the sharded counters of a segment's links. */
export const segmentKey = (project: string, segment: string, shard: number): Key =>
  keyIn('linkList', project, `${sortKeys.segment}${segment}#${shard}`);
/** The prefix of the keys of all these counters. */
export const segmentCountersOf = (project: string): Key => keyIn('linkList', project, sortKeys.segment);

/** The share link that a content has now. */
export const shareContentKey = (project: string, content: string): Key =>
  keyIn('share', `${project}#${content}`, 'CONTENT');

/** The number of links that a publishable key has made. */
export const shareCountKey = (project: string, keyId: string): Key =>
  keyIn('share', `${project}#${keyId}`, 'MADE');

/** The ids of a project's publishable keys, except for those revoked before the last creation. */
export const shareKeysKey = (project: string): Key => keyIn('share', project, 'KEYS');

export const rateKey = (keyId: string, hour: number): Key => keyIn('rate', `${keyId}#${hour}`, 'RATE');

export const callRecordKey = (project: string, attempt: string): Key =>
  keyIn('idempotency', `${project}#${attempt}`, 'RETRY');

/** One result of a bulk call; without a position, the prefix of all its results. */
export const callItemKey = (
  project: string,
  call: string,
  { run, position }: { readonly run: string; readonly position?: number },
): Key => {
  const place = position === undefined ? '' : String(position).padStart(3, '0');
  return keyIn('idempotency', `${project}#${call}`, `MADE#${run}#${place}`);
};
