import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Link } from '../link.ts';
import type { Platform } from '../visitor.ts';
import { domainKey, type Key, linkKey, tableSchema, visitorKey } from './keys.ts';
import { callTable, TableError } from './lean-client.ts';

/** The part of a link that routing needs. */
export type RoutedLink = Pick<Link, 'id' | 'status' | 'expiresAt' | 'payload'>;

/** A visit that counts. */
export interface Click {
  readonly project: string;
  readonly code: string;
  /** Who clicked, as a hash. */
  readonly visitor: string;
  /** What tells this click from every other one; a repeated write of the same click counts once. */
  readonly clickId: string;
  readonly platform: Platform;
  readonly country: string;
  readonly at: Date;
  /** How long the visitor counts as the same one, in seconds from this click on. */
  readonly windowSeconds: number;
}

const table = () => process.env.TABLE_NAME;

const wireKey = ({ PK, SK }: Key) => ({ PK: { S: PK }, SK: { S: SK } });

const getItem = async (key: Key): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await callTable('GetItem', { TableName: table(), Key: wireKey(key) });
  return Item === undefined ? undefined : unmarshall(Item as Parameters<typeof unmarshall>[0]);
};

export const findLink = async (project: string, code: string): Promise<RoutedLink | undefined> =>
  (await getItem(linkKey(project, code))) as RoutedLink | undefined;

/** How long an assigned host is remembered. Short: a host that is taken away stops routing this much later. */
const hostMemoryMs = 5000;
const knownHosts = new Map<string, { project: string; until: number }>();

/** The project that a host belongs to. Unknown hosts are asked for every time. */
export const projectOfHost = async (host: string): Promise<string | undefined> => {
  const known = knownHosts.get(host);
  if (known && Date.now() < known.until) return known.project;
  knownHosts.delete(host);
  const domain = await getItem(domainKey(host));
  if (!domain) return undefined;
  const project = String(domain.project);
  knownHosts.set(host, { project, until: Date.now() + hostMemoryMs });
  return project;
};

/**
 * Counts a click on its visitor's item; the table's stream carries it on to the link's figures. Repeating the call
 * is harmless. Throws when the write didn't succeed, also because `signal` ended it.
 */
export const recordClick = async (click: Click, signal: AbortSignal): Promise<void> => {
  const seen = Math.floor(click.at.getTime() / 1000);
  try {
    await callTable(
      'UpdateItem',
      {
        TableName: table(),
        Key: wireKey(visitorKey(click.project, click.code, click.visitor)),
        UpdateExpression:
          'ADD hits :one SET clickId = :id, platform = :platform, country = :country, seen = :seen, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(clickId) OR clickId <> :id',
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl },
        ExpressionAttributeValues: {
          ':one': { N: '1' },
          ':id': { S: click.clickId },
          ':platform': { S: click.platform },
          ':country': { S: click.country },
          ':seen': { N: String(seen) },
          ':ttl': { N: String(seen + click.windowSeconds) },
        },
      },
      signal,
    );
  } catch (error) {
    // The first attempt was stored and only its answer was lost.
    if (error instanceof TableError && error.type === 'ConditionalCheckFailedException') return;
    throw error;
  }
};
