import { createHash } from 'node:crypto';
import { refuseFaults } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import { filterText, type LinkFilter } from './link-filter.ts';

/** The list that a cursor belongs to; it is invalid for other projects and lists. */
export interface CursorOwner {
  readonly project: string;
  /** A filter of links, or the name of another list. */
  readonly filter: LinkFilter | string;
}

/** Length of the checksum, which detects mistakes. It is no signature: a forged cursor only shows the client's own links. */
const checksumBytes = 8;

const checksumOf = ({ project, filter }: CursorOwner, position: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([project, typeof filter === 'string' ? [filter] : filterText(filter), position]))
    .digest()
    .subarray(0, checksumBytes);

/** A cursor for the next page. It never expires. */
export const writeCursor = (owner: CursorOwner, position: string): string =>
  Buffer.concat([checksumOf(owner, position), Buffer.from(position)]).toString('base64url');

/** Times and a code, below the table's limit for keys. */
const positions = /^[\w:.#!-]{0,200}$/;

/** A cursor's position; undefined for the first page. Throws INVALID_PARAMETERS for other owners' cursors and other texts. */
export const readCursor = (owner: CursorOwner, cursor = ''): string | undefined => {
  if (cursor === '') return undefined;
  const position = Buffer.from(cursor, 'base64url').subarray(checksumBytes).toString();
  if (!positions.test(position) || cursor !== writeCursor(owner, position))
    refuseFaults([fault('cursor', 'cursor')], 'INVALID_PARAMETERS');
  return position;
};
