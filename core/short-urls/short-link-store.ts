import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { MobileApp } from '../apps/mobile-app.ts';
import type { Platform } from '../clicks/visitor.ts';
import type { Domain } from '../projects/domain-store.ts';
import { appKey, associationKey, domainKey, type Key, linkKey } from '../table/keys.ts';
import { callTable } from '../table/lean-client.ts';
import type { Association, HostShare } from './association.ts';
import { type Apps, type RoutedLink, savedAppId } from './routing.ts';
import type { ShortPath } from './short-address.ts';

/** A link that a short URL names. */
export interface Target {
  readonly project: string;
  readonly code: string;
  readonly link: RoutedLink;
}

const table = () => process.env.TABLE_NAME;

const wireKey = ({ PK, SK }: Key) => ({ PK: { S: PK }, SK: { S: SK } });

const fromWire = (item: unknown) => unmarshall(item as Parameters<typeof unmarshall>[0]);

/** Consistent: a link that was paused, edited or deleted is so for the very next visitor. */
const getItem = async (key: Key): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await callTable('GetItem', {
    TableName: table(),
    Key: wireKey(key),
    ConsistentRead: true,
  });
  return Item === undefined ? undefined : fromWire(Item);
};

/**
 * The link that a short URL names: on a host of the project's own, or in the project's folder. A host that belongs to
 * one project alone shows no other project's links; to its visitors they would be that project's.
 */
export const findTarget = async ({ folder, code }: ShortPath, host: string): Promise<Target | undefined> => {
  if (folder === undefined) {
    const owner = await ownerOf(host);
    return owner && findLink(owner.project, code);
  }
  const [owner, target] = await Promise.all([ownerOf(host, { trustAbsence: true }), findLink(folder, code)]);
  return owner && !owner.shared && owner.project !== folder ? undefined : target;
};

const findLink = async (project: string, code: string): Promise<Target | undefined> => {
  const link = (await getItem(linkKey(project, code))) as RoutedLink | undefined;
  return link && { project, code, link };
};

/** The saved apps of a link that decide for these platforms. Each one that the link names is a read. */
export const findApps = async ({ project, link }: Target, platforms: readonly Platform[]): Promise<Apps> => {
  const found = await Promise.all(
    platforms.map(async (platform) => {
      const id = savedAppId(link, platform);
      return [platform, id && (await getItem(appKey(project, id)))] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, app]) => app)) as { [P in Platform]?: MobileApp };
};

/** How long it is remembered whose a host is. Short: a host that is taken away stops routing this much later. */
const hostMemoryMs = 5000;
const hostsRemembered = 1000;
const knownHosts = new Map<string, { owner: Domain | undefined; until: number }>();

/**
 * Whose a host is. That it is nobody's is remembered for those who can do with it: a host that was just assigned
 * routes at once, and takes the memory's time to refuse other projects' folders.
 */
const ownerOf = async (host: string, { trustAbsence = false } = {}): Promise<Domain | undefined> => {
  const known = knownHosts.get(host);
  if (known && Date.now() < known.until && (known.owner || trustAbsence)) return known.owner;
  const owner = host === '' ? undefined : ((await getItem(domainKey(host))) as Domain | undefined);
  if (knownHosts.size >= hostsRemembered) knownHosts.clear();
  knownHosts.set(host, { owner, until: Date.now() + hostMemoryMs });
  return owner;
};

/** Which apps may open which addresses of a host. */
export const sharesOf = async (host: string): Promise<HostShare[]> => {
  const owner = await ownerOf(host);
  if (owner && !owner.shared) {
    const association = (await getItem(associationKey(owner.project))) as Association | undefined;
    return association ? [{ ...association, beyond: 'everything' }] : [];
  }
  const associations = await allAssociations();
  return associations.map((association) => ({
    ...association,
    folder: association.project,
    beyond: association.project === owner?.project ? 'top' : 'nothing',
  }));
};

const allAssociations = async (): Promise<Association[]> => {
  const found: Association[] = [];
  let start: unknown;
  do {
    const page = await callTable('Query', {
      TableName: table(),
      KeyConditionExpression: 'PK = :all',
      ExpressionAttributeValues: { ':all': { S: associationKey('').PK } },
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    found.push(...(page.Items as unknown[]).map((item) => fromWire(item) as Association));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
};
