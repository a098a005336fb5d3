import { isDeepStrictEqual } from 'node:util';
import { analyticsOf } from '../analytics/analytics.ts';
import { transactWithApps } from '../apps/app-store.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { type Failure, linkNotFound } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';
import { randomText } from '../base/random-text.ts';
import { type TakedownReads, takedownStore } from '../destinations/takedowns.ts';
import { type ResultRecord, recordedParts } from '../idempotency/idempotency-store.ts';
import type { StoredProject } from '../projects/project-store.ts';
import { codeKey, type LinkId, linkKey, sortKeys } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { ConditionFailed, type Item, orThrow, type Part, type Table, wrote } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { type ItemUpdate, putNew, updateOf, updateWhen } from '../table/update.ts';
import { firstLinkAt, noteFirstLink } from './first-link.ts';
import { fromItem, type Link, type LinkStatus, statusAt } from './link.ts';
import { linkExpiries } from './link-expiry.ts';
import { countLinks, extendList, pageOfCodes, placeOf, recount, segmentAt } from './link-list.ts';
import { linkPages } from './link-pages.ts';
import { type LinkWithAnalytics, linksWithAnalytics, livingLink } from './link-reads.ts';
import { linkRooms } from './link-room.ts';
import { notingTags, tagParts } from './link-tags.ts';
import {
  type Authorship,
  type ChangeableState,
  changedBy,
  changeNote,
  expiryMarkerParts,
  isLater,
  isLiving,
  later,
  linkParts,
  living,
  replaceContent,
  reservation,
} from './link-writes.ts';

/** Chooses a link's next state, with apps to save; undefined leaves the link unchanged. */
export type ChooseNext = (
  link: Link,
) => Promise<{ readonly link: Link; readonly apps: readonly MobileApp[] } | undefined>;

/** A link without its segment, and perhaps without its code. */
export type NewLink = Omit<Link, 'segment' | 'code'> & { readonly code?: string | undefined };

export interface Creation {
  readonly project: StoredProject;
  readonly apps?: readonly MobileApp[];
  readonly generateCode?: () => string;
  /** The record for repeated calls. If another call with the key was first, nothing is created and an error is thrown. */
  readonly record?: ResultRecord | undefined;
  /** Base address of short URLs for the response. */
  readonly base?: string;
}

/** A code from a cryptographic random source. */
const randomCode = (): string => randomText(limits.generatedCodeLength);

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a store is one object of its operations
export const linkStore = (table: Table, reads: TakedownReads) => ({
  /** A link with its analytics. Throws LINK_NOT_FOUND, including for deleted links. */
  async get(project: string, code: string): Promise<LinkWithAnalytics> {
    const items = await table.query(itemsOf(linkKey(project, code).PK));
    return {
      link: livingLink(items.find(({ SK }) => SK === sortKeys.link)),
      analytics: analyticsOf(...items.filter(({ SK }) => String(SK).startsWith(sortKeys.totals))),
    };
  },

  /** The links with these codes that aren't deleted, in order. */
  of: (project: string, codes: readonly string[]): Promise<LinkWithAnalytics[]> =>
    linksWithAnalytics(table, project, codes),

  /** The codes of these links that exist and aren't deleted. The last second's changes may be missing. */
  async existing(project: string, codes: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = codes.map((code) => linkKey(project, code));
    const items = await table.batchGet(keys, ['code', 'status'], { consistent: false });
    return new Set(items.filter(({ status }) => status !== 'DELETED').map(({ code }) => String(code)));
  },

  /** Creation time of the project's first link, deleted or not; undefined if there was none. */
  firstAt: (project: string): Promise<string | undefined> => firstLinkAt(table, project),

  count: (project: string): Promise<number> => countLinks(table, project),

  /** A page of the project's links, newest first, with their total number. */
  async page(project: string, page: number, pageSize: number) {
    const { codes, total } = await pageOfCodes(table, project, page, pageSize);
    return { links: await linksWithAnalytics(table, project, codes), total };
  },

  /** Whether a code is in use. Codes of deleted links stay in use, so that printed codes never lead elsewhere. */
  isTaken: async (project: string, code: string): Promise<boolean> =>
    (await table.get(linkKey(project, code))) !== undefined,

  /**
   * Stores a new link with all of its items. Without a code, generates one that no project uses. Throws
   * CODE_ALREADY_EXISTS if the project has used the code.
   */
  async create(
    draft: NewLink,
    { project, apps = [], generateCode = randomCode, record, base = '' }: Creation,
  ): Promise<Link> {
    const segment = segmentAt(project, draft.createdAt);
    const made = { now: new Date(draft.createdAt), by: draft.createdBy };
    await noteFirstLink(table, project, draft.createdAt);
    /** Throws ConditionFailed if the code is taken. */
    const insert = async (code: string, unique: Part[]): Promise<Link> => {
      const link: Link = { ...draft, code, segment };
      const recorded = recordedParts(record, { id: link.id, code, createdAt: link.createdAt, base });
      const parts = [...recorded, ...linkParts(link, unique, made), () => recount(link, 1)];
      const writing = notingTags(table, link, (noted) =>
        transactWithApps(table, link.project, apps, [...noted, ...parts]),
      );
      await writing.catch((error: unknown) => {
        const isMade = error instanceof ConditionFailed && error.part < recorded.length;
        throw isMade ? new Error('Another call made the link', { cause: error }) : error;
      });
      return link;
    };

    const { code } = draft;
    const link =
      code === undefined
        ? await untilMet(() => {
            const generated = generateCode();
            return insert(generated, [putNew(codeKey(generated))]);
          })
        : await orThrow(insert(code, reservation(code)), () => failure('codeTaken'));
    await extendList(table, project, new Date());
    return link;
  },

  /**
   * Changes a link's content to what `choose` returns for the current link, and saves new apps with it. Throws
   * LINK_NOT_FOUND, LINK_EXPIRED for an expired link, BAD_REQUEST for a blocked one, and VALIDATION_ERROR if the
   * project has no room for new apps or tags. Concurrent updates are applied in turn; none is lost.
   */
  async update(
    { project, code }: LinkId,
    choose: ChooseNext,
    change: Authorship,
    state: ChangeableState = 'live',
  ): Promise<void> {
    await untilMet(async () => {
      const item = await table.get(linkKey(project, code));
      const link = livingLink(item);
      if (state === 'live' && link.blockedAt !== undefined) throw failure('linkBlocked');
      if (state === 'live' && statusAt(link, change.now) === 'EXPIRED') throw failure('editExpired');
      await refuseBlockedKey(link, reads);
      const chosen = await choose(link);
      if (!chosen) return;
      const { link: next, apps } = chosen;
      const content = replaceContent(next, Number(item?.revision ?? 0), later(change, item), state);
      const moved = [
        ...expiryMarkerParts(link, link.expiresAt, next.expiresAt),
        ...tagParts(link, link.tags, next.tags),
      ];
      if (moved.length + apps.length === 0) await table.update(content);
      else
        await notingTags(table, next, (noted) =>
          transactWithApps(table, project, apps, [...noted, { Update: content }, ...moved]),
        );
    });
  },

  /** Pauses or activates a link. Throws LINK_NOT_FOUND, or BAD_REQUEST with the reason. */
  async setStatus(project: string, code: string, status: LinkStatus, change: Authorship): Promise<Link> {
    let seen: Item | undefined;
    return untilMet(async () => {
      const inTurn = later(change, seen);
      const changed = { status, ...changedBy(inTurn) };
      const update = updateOf(linkKey(project, code), {
        set: changed,
        // EXPIRED and DELETED are final, and a past expiry counts as EXPIRED.
        when: `attribute_not_exists(#blockedAt) AND #status = :other AND (attribute_not_exists(#expiresAt) OR #expiresAt > :updatedAt) AND (attribute_not_exists(#shareKey) OR #shareKey = :shareKey) AND ${isLater}`,
        values: { other: status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE', shareKey: seen?.shareKey ?? '' },
      });
      try {
        return fromItem(await table.update({ ...update, ReturnValues: 'ALL_NEW' }));
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        seen = error.item;
        if (seen && error.metItself((found) => isDeepStrictEqual(found?.change, changed.change)))
          return fromItem(seen);
        if (seen && seen.status !== 'DELETED') await refuseBlockedKey(fromItem(seen), reads);
        throw statusRefusal(seen, status, inTurn.now) ?? error;
      }
    });
  },

  /**
   * Deletes a link: it disappears from lists and responses, but its item stays and keeps the code. Throws
   * LINK_NOT_FOUND, including for a deleted link.
   */
  async delete(project: string, code: string, change: Authorship): Promise<Link> {
    return untilMet(async () => {
      const item = await table.get(linkKey(project, code));
      const link = livingLink(item);
      const inTurn = later(change, item);
      const at = inTurn.now.toISOString();
      const deletion = updateOf(linkKey(project, code), {
        set: { status: 'DELETED', deletedAt: at, updatedAt: at, change: changeNote(inTurn) },
        when: `#status <> :status AND ${isLater}`,
      });
      const moved = [...tagParts(link, link.tags), ...expiryMarkerParts(link, link.expiresAt)];
      const isListed = link.shareKey === undefined;
      const delisted = isListed ? [{ Delete: { Key: placeOf(link) } }, () => recount(link, -1)] : [];
      await table.transact([{ Update: deletion }, ...delisted, ...moved]);
      return link;
    });
  },

  /** Spreads a link's visitors over more groups. False if it already has as many, or doesn't exist. */
  spread: (project: string, code: string, groups: number): Promise<boolean> =>
    updateWhen(table, linkKey(project, code), {
      set: { groups },
      when: `${isLiving} AND (attribute_not_exists(#groups) OR #groups < :groups)`,
      values: living,
    }),

  /**
   * Hides a link from visitors at once, whatever its status, until it is unblocked. A repeated call keeps the first
   * time. False if it doesn't exist or is deleted.
   */
  block: (
    project: string,
    code: string,
    { reason, ...change }: Authorship & { readonly reason?: string | undefined },
  ): Promise<boolean> =>
    changeInTurn(table, { project, code }, change, (item) =>
      item.status === 'DELETED'
        ? undefined
        : {
            set: { blockedReason: reason },
            first: { blockedAt: change.now.toISOString() },
            when: isLiving,
            values: living,
          },
    ),

  /** Unblocks a link, which keeps its status. Deleted links can be unblocked as well. False if it wasn't blocked. */
  unblock: (project: string, code: string, change: Authorship): Promise<boolean> =>
    changeInTurn(table, { project, code }, change, (item) =>
      item.blockedAt === undefined
        ? undefined
        : { remove: ['blockedAt', 'blockedReason'], when: 'attribute_exists(#blockedAt)' },
    ),

  ...linkPages(table),
  ...linkRooms(table),
  ...linkExpiries(table),
});

/** Changes what `choose` returns for the current item. False if the link doesn't exist, or if that is undefined. */
const changeInTurn = (
  table: Table,
  { project, code }: LinkId,
  change: Authorship,
  choose: (item: Item) => ItemUpdate | undefined,
): Promise<boolean> =>
  untilMet(async () => {
    const item = await table.get(linkKey(project, code));
    const chosen = item && choose(item);
    if (!chosen) return false;
    const inTurn = later(change, item);
    const note = changeNote(inTurn);
    const update = updateOf(linkKey(project, code), {
      ...chosen,
      set: { change: note, ...chosen.set },
      when: `${chosen.when} AND ${isLater}`,
      values: { ...chosen.values, updatedAt: inTurn.now.toISOString() },
    });
    const isDone = await wrote(table.update(update), (found) => isDeepStrictEqual(found?.change, note));
    if (!isDone) throw new ConditionFailed(undefined);
    return true;
  });

/** Refuses changes of a link while all links of its publishable key are blocked. Throws BAD_REQUEST. */
const refuseBlockedKey = async ({ shareKey }: Link, reads: TakedownReads): Promise<void> => {
  if (await takedownStore(reads).isKeyBlocked(shareKey)) throw failure('keyBlocked');
};

/** Why a link's status can't be changed. Undefined if it can. */
const statusRefusal = (item: Item | undefined, asked: LinkStatus, now: Date): Failure | undefined => {
  if (!item || item.status === 'DELETED') return linkNotFound();
  if (item.blockedAt !== undefined) return failure('linkBlocked');
  if (statusAt(fromItem(item), now) === 'EXPIRED') return failure('linkExpired');
  return item.status === asked ? failure('sameStatus', { status: asked }) : undefined;
};
