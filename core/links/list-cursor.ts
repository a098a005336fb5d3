import { createHash } from 'node:crypto';
import { refuseFaults } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import { filterText, type LinkFilter } from './link-filter.ts';

/** What a cursor belongs to: it means nothing in another project, or of another list. */
export interface CursorOwner {
  readonly project: string;
  /** Of links, or the name of another list. */
  readonly filter: LinkFilter | string;
}

/** Finds mistakes. Whoever makes up a cursor sees no more than their own links, so none is signed. */
const checksumBytes = 8;

const checksumOf = ({ project, filter }: CursorOwner, position: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([project, typeof filter === 'string' ? [filter] : filterText(filter), position]))
    .digest()
    .subarray(0, checksumBytes);

/** Where a walk goes on. It holds for ever. */
export const writeCursor = (owner: CursorOwner, position: string): string =>
  Buffer.concat([checksumOf(owner, position), Buffer.from(position)]).toString('base64url');

/** Times and a code; the table refuses keys that are longer. */
const positions = /^[\w:.#!-]{0,200}$/;

/** The position of a cursor; nothing for the first page. Throws INVALID_PARAMETERS for any text that was not written for this owner. */
export const readCursor = (owner: CursorOwner, cursor = ''): string | undefined => {
  if (cursor === '') return undefined;
  const position = Buffer.from(cursor, 'base64url').subarray(checksumBytes).toString();
  if (!positions.test(position) || cursor !== writeCursor(owner, position))
    refuseFaults([fault('cursor', 'cursor')], 'INVALID_PARAMETERS');
  return position;
};
