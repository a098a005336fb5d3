import { readBody } from '../../core/api/request.ts';
import { failure } from '../../core/base/messages.ts';
import type { HistoryEntry } from '../../core/history/history-store.ts';
import type { Link } from '../../core/links/link.ts';

import { linkPatch } from '../../core/links/link-schema.ts';
import { patchBack } from '../../core/links/own-content.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { changeAsOperator } from './link-edits.ts';
import { requireLink } from './links.ts';

/** Entries that are read at once. */
const portion = 100;

/** Changes of a link, newest first, also of a deleted one. Throws OperatorError if there is no such link. */
export const linkHistory = async (deployment: Deployment, link: LinkId, limit = 50) => {
  await findProject(deployment, link.project);
  const listed: Omit<HistoryEntry, 'before'>[] = [];
  for (let below: string | undefined; ; ) {
    const page = { below, pageSize: Math.min(portion, limit - listed.length), withDeleted: true };
    const { entries, end } = await requireLink(link, deployment.stores.history.page(link, page));
    listed.push(...entries.map(({ before, ...entry }) => entry));
    if (end === undefined || listed.length >= limit) return listed;
    below = end;
  }
};

/** An entry with the link before it. Throws OperatorError if there is none. */
export const historyEntry = async (deployment: Deployment, link: LinkId, id: string) => {
  await findProject(deployment, link.project);
  return requireLink(link, deployment.stores.history.find(link, id, true)).catch((error: Error) => {
    if (error.message !== failure('noEntry').message) throw error;
    throw new OperatorError(`The history of ${link.code} has no entry ${id}`);
  });
};

/** Restores a link as it was just before an entry, except its status. Throws OperatorError, or the API's failure. */
export const revertLink = async (deployment: Deployment, link: LinkId, entry: string): Promise<void> => {
  const { before } = await historyEntry(deployment, link, entry);
  if (!before)
    throw new OperatorError(`${entry} created ${link.code}; name a later entry to go back to before it`);
  const request = (present: Link) => readBody(linkPatch, patchBack(present, before));
  await changeAsOperator(deployment, link, { request });
};
