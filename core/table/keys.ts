/** Every key of the table. No other file builds one. */
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
export interface ListingKey {
  readonly LPK: string;
  readonly LSK: string;
}

/** The prefix of each kind's partition keys, or the whole key. Roles are limited to these. */
export const partitions = {
  apiKey: 'KEY#',
  keyUse: 'KEYUSE#',
  associations: 'ASSOCIATIONS',
  code: 'CODE#',
  denied: 'DENIED',
  deniedVersion: 'DENIEDVERSION',
  domain: 'DOMAIN#',
  excluded: 'EXCLUDED#',
  link: 'LINK#',
  linkList: 'LINKS#',
  project: 'PROJECT#',
  rate: 'RATE#',
  retry: 'RETRY#',
  suspended: 'SUSPENDED',
  series: 'SERIES#',
  visitor: 'VISITOR#',
} as const;

export type Partition = keyof typeof partitions;

export const projectKey = (project: string): Key => ({ PK: partitions.project + project, SK: 'PROJECT' });
export const projectListing = (project: string): ListingKey => ({ LPK: 'PROJECTS', LSK: project });

export const appKey = (project: string, app: string): Key => ({
  PK: partitions.project + project,
  SK: `APP#${app}`,
});

/** How many apps a project has. */
export const appCountKey = (project: string): Key => ({ PK: partitions.project + project, SK: 'APPS' });

export const apiKeyKey = (keyId: string): Key => ({ PK: partitions.apiKey + keyId, SK: 'KEY' });
export const apiKeyListing = (project: string, createdAt: string, keyId: string): ListingKey => ({
  LPK: `KEYS#${project}`,
  LSK: `${createdAt}#${keyId}`,
});

/** When a key was last used. */
export const keyUseKey = (keyId: string): Key => ({ PK: partitions.keyUse + keyId, SK: 'KEYUSE' });

/** A host is one and the same on every port, and with the dot that may end it. */
export const domainKey = (host: string): Key => ({
  PK: partitions.domain + host.toLowerCase().replace(/\.?(:\d+)?$/, ''),
  SK: 'DOMAIN',
});
export const domainListing = (host: string): ListingKey => ({ LPK: 'DOMAINS', LSK: host });

/** All of them in one partition: functions remember which projects are suspended. */
export const suspendedKey = (project: string): Key => ({ PK: partitions.suspended, SK: project });

/** All of them in one partition: functions remember which hosts are denied as destinations. */
export const deniedKey = (host: string): Key => ({ PK: partitions.denied, SK: host });

/** Changes with every change of the denied hosts, so that functions can tell whether those that they remember still hold. */
export const deniedVersionKey: Key = { PK: partitions.deniedVersion, SK: 'VERSION' };

/** All in one partition: a shared host needs the apps of every project at once. */
export const associationKey = (project: string): Key => ({ PK: partitions.associations, SK: project });

const linkPartition = (project: string, code: string) => `${partitions.link}${project}#${code}`;

export const linkKey = (project: string, code: string): Key => ({
  PK: linkPartition(project, code),
  SK: 'LINK',
});
export const expiryKey = (project: string, code: string): Key => ({
  PK: linkPartition(project, code),
  SK: 'EXPIRY',
});

/**
 * Partitions that don't belong to one project, or that name their project elsewhere. The deletion of a
 * project must handle every addition; all other partitions name their project first.
 */
const unowned: readonly Partition[] = [
  'apiKey',
  'associations',
  'code',
  'denied',
  'deniedVersion',
  'domain',
  'keyUse',
  'rate',
  'suspended',
];

/** Partition keys of a project's own: exactly these, and all that begin with one of them and a `#`. */
export const projectPartitions = (project: string): string[] =>
  Object.entries(partitions)
    .filter(([kind]) => !unowned.includes(kind as Partition))
    .map(([, start]) => start + project);

/** The project whose own a partition is; undefined for the partitions that don't belong to one. */
export const ownerOfPartition = (PK: string): string | undefined => {
  const [project = ''] = PK.split('#').slice(1);
  return projectPartitions(project).some((own) => PK === own || PK.startsWith(`${own}#`))
    ? project
    : undefined;
};

/** Makes generated codes unique on the whole platform. */
export const codeKey = (code: string): Key => ({ PK: partitions.code + code, SK: 'CODE' });

/** A link's place in its project's list: by segment, then by creation. */
export const listedLinkKey = (project: string, segment: string, createdAt: string, code: string): Key => ({
  PK: partitions.linkList + project,
  SK: `LINK#${segment}#${createdAt}#${code}`,
});

/** One of the counters of a segment's links. */
export const segmentKey = (project: string, segment: string, shard: number): Key => ({
  PK: partitions.linkList + project,
  SK: `SEGMENT#${segment}#${shard}`,
});

/**
 * All visitors of a link have one partition key, so one shard of the stream at a time carries a link's clicks; those of a
 * link that is prepared for fame are spread over groups. The name of their group stands in every stored key: with
 * another one, visitors who are known would count as new.
 */
const onlyGroup = '1';
const groupOf = (visitor: string, groups: number): string =>
  groups === 1 ? onlyGroup : `g${Buffer.from(visitor, 'base64url').readUInt32BE() % groups}`;

const visitorPartition = (project: string, code: string, group: string) =>
  `${partitions.visitor}${project}#${code}#${group}`;

/** What a visitor, a hash, did with a link whose visitors are in so many groups. */
export const visitorKey = (project: string, code: string, visitor: string, groups = 1): Key => ({
  PK: visitorPartition(project, code, groupOf(visitor, groups)),
  SK: `CLICKS#${visitor}`,
});
/** Of a link in a visitor's app. */
export const opensKey = (project: string, code: string, visitor: string, groups = 1): Key => ({
  PK: visitorPartition(project, code, groupOf(visitor, groups)),
  SK: `OPENS#${visitor}`,
});

/**
 * The link that a visitor's item belongs to, and whether its visitors are in several groups; undefined for any other
 * key.
 */
export const linkOfVisitor = (
  PK: string,
): { project: string; code: string; isGrouped: boolean } | undefined => {
  const [kind, project, code, group] = PK.split('#');
  if (kind !== 'VISITOR' || !project || !code || !group) return undefined;
  return { project, code, isGrouped: group !== onlyGroup };
};

/** Visits of a link that aren't clicks: a kind of its own, so that whoever counts them can't write links. */
export const excludedKey = (project: string, code: string): Key => ({
  PK: `${partitions.excluded}${project}#${code}`,
  SK: 'EXCLUDED',
});

const seriesPartition = (project: string, code: string | undefined) =>
  partitions.series + (code === undefined ? project : `${project}#${code}`);

interface Owner {
  readonly project: string;
  readonly code?: string | undefined;
}

/**
 * A link's totals, and which of its days have items of their own; of a project only the latter. Totals of a link whose
 * visitors are in groups have further items.
 */
export const figuresKey = ({ project, code }: Owner, item?: number): Key => ({
  PK: code === undefined ? seriesPartition(project, code) : linkPartition(project, code),
  SK: item === undefined ? 'STATS' : `STATS#${item}`,
});

const daySortKeys = {
  day: (start: string) => `D#${start}`,
  /** Clicks of a project's day by link. */
  dayByLink: (start: string) => `L#${start}`,
};

export type DayUnit = keyof typeof daySortKeys;

/** The figures of a link, or of a project, on a day in UTC; days count from the epoch. */
export const dayKey = (unit: DayUnit, { project, code }: Owner, day: number): Key => ({
  PK: seriesPartition(project, code),
  SK: daySortKeys[unit](new Date(day * 86_400_000).toISOString().slice(0, 10)),
});

/**
 * An hour in UTC; hours count from the epoch. It has several items, which together are its figures: each shard of the
 * stream adds to one of them. Without a number, what the keys of all of them begin with.
 */
export const hourKey = ({ project, code }: Owner, hour: number, item?: number): Key => ({
  PK: seriesPartition(project, code),
  SK: `H#${new Date(hour * 3_600_000).toISOString().slice(0, 13)}${item === undefined ? '' : `#${item}`}`,
});

export const rateKey = (keyId: string, hour: number): Key => ({
  PK: `${partitions.rate}${keyId}#${hour}`,
  SK: 'RATE',
});

const retryPartition = (project: string, attempt: string) => `${partitions.retry}${project}#${attempt}`;

/** What a call with an Idempotency-Key made. */
export const retryKey = (project: string, attempt: string): Key => ({
  PK: retryPartition(project, attempt),
  SK: 'RETRY',
});

/** One of many that a call made; without a position, what all of them start with. */
export const retryItemKey = (
  project: string,
  attempt: string,
  { run, position }: { readonly run: string; readonly position?: number },
): Key => ({
  PK: retryPartition(project, attempt),
  SK: `MADE#${run}#${position === undefined ? '' : String(position).padStart(3, '0')}`,
});
