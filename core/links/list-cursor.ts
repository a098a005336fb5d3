import { createHmac, timingSafeEqual } from 'node:crypto';
import { filterText, type LinkFilter } from './link-filter.ts';

/** What a cursor belongs to: it means nothing in another project or with other filters. */
export interface CursorOwner {
  /** Of the deployment. */
  readonly secret: string;
  readonly project: string;
  readonly filter: LinkFilter;
}

/** Enough against guessing: a wrong one only costs the request. */
const signatureBytes = 16;

const signatureOf = ({ secret, project, filter }: CursorOwner, position: string): Buffer =>
  createHmac('sha256', secret)
    // What the secret signs elsewhere begins differently.
    .update(JSON.stringify(['list cursor', project, filterText(filter), position]))
    .digest()
    .subarray(0, signatureBytes);

/** Where a walk goes on, as text that only the service can make. It holds for ever. */
export const writeCursor = (owner: CursorOwner, position: string): string =>
  Buffer.concat([signatureOf(owner, position), Buffer.from(position)]).toString('base64url');

/** The position of a cursor; undefined for any text that was not written for this owner. */
export const readCursor = (owner: CursorOwner, cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(signatureBytes).toString();
  const written = Buffer.from(writeCursor(owner, position));
  const given = Buffer.from(cursor);
  return given.length === written.length && timingSafeEqual(given, written) ? position : undefined;
};
