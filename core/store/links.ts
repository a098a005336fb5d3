import { Failure, linkNotFound } from '../failure.ts';
import { limits } from '../limits.ts';
import { type Figures, type Link, type LinkStatus, statusAt } from '../link.ts';
import { figuresOf } from './figures.ts';
import {
  codeKey,
  expiryKey,
  figuresKey,
  type Key,
  linkKey,
  listedLinkKey,
  projectKey,
  segmentKey,
  tableSchema,
} from './keys.ts';
import type { StoredProject } from './projects.ts';
import { met } from './projects.ts';
import { ConditionFailed, type Item, type Part, type Table } from './table.ts';

/** Counters of a segment; several, so that links created at once seldom meet on one. */
const segmentShards = 4;
/** Links in a segment, about: each creation starts a new one with this odds. */
const segmentSize = 1000;
/** A new segment starts this much later, when every creation has seen it coming. */
const segmentNoticeMs = 2000;

/** A link before it has its code and its place. */
export type LinkDraft = Omit<Link, 'segment' | 'code'> & { readonly code?: string | undefined };

export const linkStore = (table: Table) => ({
  /** The link with its figures. Throws LINK_NOT_FOUND, also for a deleted link. */
  async get(project: string, code: string): Promise<{ link: Link; figures: Figures }> {
    const items = await table.query({
      KeyConditionExpression: 'PK = :link',
      ExpressionAttributeValues: { ':link': linkKey(project, code).PK },
      ConsistentRead: true,
    });
    const link = items.find(({ SK }) => SK === linkKey(project, code).SK);
    if (!link || link.status === 'DELETED') throw linkNotFound();
    return {
      link: fromItem(link),
      figures: figuresOf(items.find(({ SK }) => SK === figuresKey(project, code).SK)),
    };
  },

  /** Whether a code is in use. The code of a deleted link is: what was printed must never lead elsewhere. */
  code: async (project: string, code: string): Promise<boolean> =>
    (await table.get(linkKey(project, code))) !== undefined,

  /**
   * Stores a new link, and with it everything that must be true of it at once. Without a code it gets a generated
   * one that is new on the whole platform. Throws CODE_ALREADY_EXISTS for a code that the project has used.
   */
  async create(draft: LinkDraft, project: StoredProject, generateCode: () => string): Promise<Link> {
    const segment = segmentAt(project, draft.createdAt);
    const insert = async (code: string, claim: Part[]): Promise<Link | undefined> => {
      const link: Link = { ...draft, code, segment };
      const parts = [
        putNew(linkKey(link.project, code), link),
        { Put: { Item: listedLinkKey(link.project, segment, link.createdAt, code) } },
        count(link.project, segment, 1),
        ...claim,
        ...marker(link),
      ];
      return (await met(table.transact(parts))) ? link : undefined;
    };

    let link = draft.code === undefined ? undefined : await insert(draft.code, reservation(draft.code));
    if (draft.code !== undefined && !link) throw codeTaken();
    while (!link) {
      const code = generateCode();
      link = await insert(code, [putNew(codeKey(code), {})]);
    }
    if (Math.random() * segmentSize < 1) await startSegment(table, project, draft.createdAt);
    return link;
  },

  /** Pauses or activates a link; the refusal says why. */
  async setStatus(project: string, code: string, status: LinkStatus, now: Date): Promise<Link> {
    try {
      const item = await table.update({
        Key: linkKey(project, code),
        UpdateExpression: 'SET #status = :status, updatedAt = :now',
        // A stored status of EXPIRED or DELETED can't be left, and an expiry that has passed counts as well.
        ConditionExpression: '#status = :other AND (attribute_not_exists(expiresAt) OR expiresAt > :now)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': status,
          ':other': status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE',
          ':now': now.toISOString(),
        },
        ReturnValues: 'ALL_NEW',
      });
      return fromItem(item);
    } catch (error) {
      if (error instanceof ConditionFailed) throw statusRefusal(error.item, status, now);
      throw error;
    }
  },

  /**
   * Deletes a link: it leaves the list and every answer, but its item stays and keeps the code. Throws
   * LINK_NOT_FOUND, also when it was deleted before.
   */
  async delete(project: string, code: string, now: Date): Promise<Link> {
    const item = await table.get(linkKey(project, code));
    if (!item || item.status === 'DELETED') throw linkNotFound();
    const link = fromItem(item);
    const deleted = await met(
      table.transact([
        {
          Update: {
            Key: linkKey(project, code),
            UpdateExpression: 'SET #status = :deleted, deletedAt = :now, updatedAt = :now',
            ConditionExpression: '#status <> :deleted',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':deleted': 'DELETED', ':now': now.toISOString() },
          },
        },
        { Delete: { Key: listedLinkKey(project, link.segment, link.createdAt, code) } },
        count(project, link.segment, -1),
        { Delete: { Key: expiryKey(project, code) } },
      ]),
    );
    if (!deleted) throw linkNotFound();
    return link;
  },

  /**
   * Stores that a link has expired, when its expiry marker was swept. A marker of an expiry that has been moved
   * since changes nothing, and neither does a second call.
   */
  expire: (project: string, code: string, expiresAt: string): Promise<boolean> =>
    met(
      table.update({
        Key: linkKey(project, code),
        UpdateExpression: 'SET #status = :expired',
        ConditionExpression: 'expiresAt = :expiresAt AND #status IN (:active, :paused)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':expired': 'EXPIRED',
          ':active': 'ACTIVE',
          ':paused': 'PAUSED',
          ':expiresAt': expiresAt,
        },
      }),
    ),
});

const codeTaken = () => new Failure('CODE_ALREADY_EXISTS', 'The code is already in use in this project');

const fromItem = ({ PK, SK, deletedAt, ...link }: Item) => link as unknown as Link;

const putNew = (key: Key, attributes: object): Part => ({
  Put: { Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(PK)' },
});

const count = (project: string, segment: string, change: 1 | -1): Part => ({
  Update: {
    Key: segmentKey(project, segment, Math.floor(Math.random() * segmentShards)),
    UpdateExpression: 'ADD n :change',
    ExpressionAttributeValues: { ':change': change },
  },
});

const couldBeGenerated = new RegExp(`^[A-Za-z0-9]{${limits.generatedCodeLength}}$`);

/** Keeps the generator from picking a chosen code that looks like one of its own. */
const reservation = (code: string): Part[] =>
  couldBeGenerated.test(code) ? [{ Put: { Item: codeKey(code) } }] : [];

const marker = (link: Pick<Link, 'project' | 'code' | 'expiresAt'>): Part[] =>
  link.expiresAt === undefined
    ? []
    : [
        {
          Put: {
            Item: {
              ...expiryKey(link.project, link.code),
              project: link.project,
              code: link.code,
              expiresAt: link.expiresAt,
              [tableSchema.ttl]: Math.ceil(Date.parse(link.expiresAt) / 1000),
            },
          },
        },
      ];

const segmentAt = (project: StoredProject, createdAt: string): string =>
  project.nextSegment !== undefined && createdAt >= project.nextSegment
    ? project.nextSegment
    : project.segment;

/** Announces the segment that follows, unless another creation just did. */
const startSegment = (table: Table, project: StoredProject, createdAt: string): Promise<unknown> =>
  table
    .update({
      Key: projectKey(project.id),
      UpdateExpression: 'SET #segment = :segment, nextSegment = :next',
      ConditionExpression:
        '#segment = :seen AND (attribute_not_exists(nextSegment) OR nextSegment <= :createdAt)',
      ExpressionAttributeNames: { '#segment': 'segment' },
      ExpressionAttributeValues: {
        ':seen': project.segment,
        ':segment': segmentAt(project, createdAt),
        ':createdAt': createdAt,
        ':next': new Date(Date.parse(createdAt) + segmentNoticeMs).toISOString(),
      },
    })
    // The link is stored, which is what was asked for; a later creation starts the segment just as well.
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed))
        console.error(JSON.stringify({ level: 'WARN', error: String(error) }));
    });

const statusRefusal = (item: Item | undefined, asked: LinkStatus, now: Date): Failure => {
  if (!item || item.status === 'DELETED') return linkNotFound();
  return statusAt(fromItem(item), now) === 'EXPIRED'
    ? new Failure('BAD_REQUEST', 'The link has expired and cannot be changed')
    : new Failure('BAD_REQUEST', `The link is already ${asked}`);
};
