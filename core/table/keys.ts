/** Every key of the table, with those of the other `*-keys.ts`. No other file builds one. */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** Names of the attributes that the table itself relies on. */
export const tableSchema = {
  partitionKey: 'PK',
  sortKey: 'SK',
  ttl: 'ttl',
  /** Sparse index of what operators list: projects, API keys, hosts. */
  listings: { name: 'listings', partitionKey: 'LPK', sortKey: 'LSK' },
} as const;

/** An item's keys in the `listings` index. */
export type ListingKey = Readonly<Record<'LPK' | 'LSK', string>>;

/** Of partitions that name their project first. */
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
  tagged: 'TAGGED#',
  visitor: 'VISITOR#',
  webhook: 'WEBHOOKS#',
  webhookState: 'WEBHOOKSTATE#',
  webhookTurns: 'WEBHOOKTURNS#',
} as const;

/**
 * The prefix of each kind's partition keys, or the whole key. Roles are limited to these. Those here don't belong to one
 * project, or name it elsewhere: the deletion of a project must handle every addition.
 */
export const partitions = {
  ...ofProjects,
  apiKey: 'KEY#',
  keyUse: 'KEYUSE#',
  associations: 'ASSOCIATIONS',
  code: 'CODE#',
  blocked: 'DENIED',
  blockedVersion: 'DENIEDVERSION',
  domain: 'DOMAIN#',
  memberKey: 'MEMBERKEY#',
  person: 'PERSON#',
  rate: 'RATE#',
  suspended: 'SUSPENDED',
  session: 'SESSION#',
  signedIn: 'SIGNEDIN#',
} as const;

export type Partition = keyof typeof partitions;

/** A key in the partition of a kind that such an id has. */
export const keyIn = (kind: Partition, id: string, SK: string): Key => ({ PK: partitions[kind] + id, SK });

/** Sort keys of single items, and what those of many begin with. */
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

/** What operators list, in the index. */
export const listings = {
  projects: 'PROJECTS',
  members: 'MEMBERS',
  domains: 'DOMAINS',
  keysOf: (project: string) => `KEYS#${project}`,
} as const;

export const projectKey = (project: string): Key => keyIn('project', project, 'PROJECT');
export const projectListing = (project: string): ListingKey => ({ LPK: listings.projects, LSK: project });

export const appKey = (project: string, app: string): Key => keyIn('project', project, sortKeys.app + app);
/** What the keys of a project's apps begin with. */
export const projectAppsKey = (project: string): Key => appKey(project, '');

/** How many apps a project has. */
export const appCountKey = (project: string): Key => keyIn('project', project, sortKeys.apps);

export const apiKeyKey = (keyId: string): Key => keyIn('apiKey', keyId, sortKeys.apiKey);
export const apiKeyListing = (project: string, createdAt: string, keyId: string): ListingKey => ({
  LPK: listings.keysOf(project),
  LSK: `${createdAt}#${keyId}`,
});

/** When a key was last used. */
export const keyUseKey = (keyId: string): Key => keyIn('keyUse', keyId, 'KEYUSE');

/** A host is one and the same on every port, and with the dot that may end it. */
export const domainKey = (host: string): Key =>
  keyIn('domain', host.toLowerCase().replace(/\.?(:\d+)?$/, ''), 'DOMAIN');
export const domainListing = (host: string): ListingKey => ({ LPK: listings.domains, LSK: host });

/** All of them in one partition: functions remember which projects are suspended. */
export const suspendedKey = (project: string): Key => ({ PK: partitions.suspended, SK: project });

/** All of them in one partition: functions remember which hosts are blocked as destinations. */
export const blockedKey = (host: string): Key => ({ PK: partitions.blocked, SK: host });

/** Changes with every change of the blocked hosts: 1.1.0 remembers them by it. */
export const blockedVersionKey: Key = { PK: partitions.blockedVersion, SK: 'VERSION' };

/** All in one partition: a shared host needs the apps of every project at once. */
export const associationKey = (project: string): Key => ({ PK: partitions.associations, SK: project });

/** What names a link. */
export interface LinkId {
  readonly project: string;
  readonly code: string;
}

/** Beside the link lie its totals. */
export const linkKey = (project: string, code: string): Key =>
  keyIn('link', `${project}#${code}`, sortKeys.link);
export const expiryKey = (project: string, code: string): Key =>
  keyIn('link', `${project}#${code}`, sortKeys.expiry);

/** Partition keys of a project's own: exactly these, and all that begin with one of them and a `#`. */
export const projectPartitions = (project: string): string[] =>
  Object.values(ofProjects).map((start) => start + project);

/** The project whose own a partition is; undefined for the partitions that don't belong to one. */
export const ownerOfPartition = (PK: string): string | undefined => {
  const [project = ''] = PK.split('#').slice(1);
  return projectPartitions(project).some((own) => PK === own || PK.startsWith(`${own}#`))
    ? project
    : undefined;
};

/** Makes generated codes unique on the whole platform. */
export const codeKey = (code: string): Key => keyIn('code', code, 'CODE');

/** A link's place in its project's list: by segment, then by creation. */
export const listedLinkKey = (project: string, segment: string, createdAt: string, code: string): Key =>
  keyIn('linkList', project, `${sortKeys.place}${segment}#${createdAt}#${code}`);
/** The beginning of the keys of all places. */
export const linkListOf = (project: string): Key => keyIn('linkList', project, sortKeys.place);

/** The place on its project's list once more, among the links with a tag. */
export const taggedLinkKey = (project: string, tag: string, place: Key): Key =>
  keyIn('tagged', `${project}#${tag}`, place.SK);

/** The names of the tags that a project's links have or had. */
export const tagNamesKey = (project: string): Key => keyIn('linkList', project, 'TAGS');

/** One of the counters of a segment's links. */
export const segmentKey = (project: string, segment: string, shard: number): Key =>
  keyIn('linkList', project, `${sortKeys.segment}${segment}#${shard}`);
/** The beginning of the keys of all these counters. */
export const segmentCountersOf = (project: string): Key => keyIn('linkList', project, sortKeys.segment);

export const rateKey = (keyId: string, hour: number): Key => keyIn('rate', `${keyId}#${hour}`, 'RATE');

/** What a call with an Idempotency-Key made. */
export const callRecordKey = (project: string, attempt: string): Key =>
  keyIn('idempotency', `${project}#${attempt}`, 'RETRY');

/** One of many that a call made; without a position, what all of them start with. */
export const callItemKey = (
  project: string,
  call: string,
  { run, position }: { readonly run: string; readonly position?: number },
): Key => {
  const place = position === undefined ? '' : String(position).padStart(3, '0');
  return keyIn('idempotency', `${project}#${call}`, `MADE#${run}#${place}`);
};
