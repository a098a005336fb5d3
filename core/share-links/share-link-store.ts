import type { ApiKey } from '../api-keys/api-key.ts';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';
import { randomText } from '../base/random-text.ts';
import { noteFirstLink } from '../links/first-link.ts';
import { fromItem, type Link } from '../links/link.ts';
import { changeNote, expiryMarkerParts } from '../links/link-writes.ts';
import type { StoredProject } from '../projects/project-store.ts';
import { contentOf } from '../table/content.ts';
import { apiKeyKey, codeKey, linkKey, shareContentKey, shareCountKey } from '../table/keys.ts';
import { ConditionFailed, type Item, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { putNew, updateOf } from '../table/update.ts';

/** The link of a content: its code, and the link unless it was never read. */
export interface SharedContent {
  readonly id: string;
  readonly code?: string | undefined;
  readonly link?: Link | undefined;
}

/** A share link before it has a code. */
export type ShareLinkDraft = Omit<Link, 'code'> & { readonly shareKey: string; readonly expiresAt: string };

/**
 * Share links. A content has one item with the code of its present link, which changes only together with the link: so
 * concurrent equal requests, and repeated ones, make one link.
 */
export const shareLinkStore = (table: Table) => ({
  /** A publishable key that isn't revoked. */
  async key(keyId: string): Promise<(ApiKey & Required<Pick<ApiKey, 'share'>>) | undefined> {
    const item = await table.get(apiKeyKey(keyId));
    const key = item && contentOf<ApiKey>(item);
    return key?.share && key.revokedAt === undefined ? { ...key, share: key.share } : undefined;
  },

  /** How many links these keys have made, in their order. */
  async made(project: string, keyIds: readonly string[]): Promise<number[]> {
    const keys = keyIds.map((keyId) => shareCountKey(project, keyId));
    const counts = new Map((await table.batchGet(keys)).map(({ PK, n }) => [PK, Number(n)]));
    return keys.map(({ PK }) => counts.get(PK) ?? 0);
  },

  async find(project: string, id: string): Promise<SharedContent> {
    const code = (await table.get(shareContentKey(project, id)))?.code;
    if (code === undefined) return { id };
    const item = await table.get(linkKey(project, String(code)));
    return { id, code: String(code), link: item && fromItem(item) };
  },

  /**
   * Stores a content's link in place of the one that was read. Undefined if another call has stored one since: then it
   * must be read again. Throws LIMIT_REACHED if the key has made all its links.
   */
  async create(
    draft: ShareLinkDraft,
    read: SharedContent,
    { project, maxLinks }: { readonly project: StoredProject; readonly maxLinks: number },
  ): Promise<Link | undefined> {
    const { shareKey, createdAt, createdBy, expiresAt } = draft;
    await noteFirstLink(table, project, createdAt);
    const change = changeNote({ now: new Date(createdAt), by: createdBy });
    const counting = updateOf(shareCountKey(project.id, shareKey), {
      add: { n: 1 },
      when: 'attribute_not_exists(#n) OR #n < :most',
      values: { most: maxLinks },
    });
    return untilMet(async () => {
      const link: Link = { ...draft, code: randomText(limits.generatedCodeLength) };
      const pointing = {
        ...{ Item: { ...shareContentKey(project.id, read.id), code: link.code } },
        ConditionExpression: read.code === undefined ? 'attribute_not_exists(PK)' : 'code = :read',
        ...(read.code !== undefined && { ExpressionAttributeValues: { ':read': read.code } }),
      };
      const isOwn = (found: Item | undefined) => found?.code === link.code;
      try {
        await table.transact([
          { Put: pointing },
          { Update: counting },
          putNew(linkKey(project.id, link.code), { ...link, change }),
          putNew(codeKey(link.code)),
          ...expiryMarkerParts(link, undefined, expiresAt),
        ]);
      } catch (error) {
        if (!(error instanceof ConditionFailed) || error.part > 1) throw error;
        if (error.part === 1) throw failure('tooManyShareLinks', { limit: maxLinks });
        return error.metItself(isOwn) ? link : undefined;
      }
      return link;
    });
  },
});
