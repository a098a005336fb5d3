import { itemsOf } from '../../core/table/ranges.ts';
import type { Table } from '../../core/table/table.ts';
import { OperatorError } from '../base/operator-error.ts';

/** An operator's act on a subject, by the command's name. */
export type Takedown =
  | (At & { readonly act: 'link block' | 'link unblock'; readonly project: string; readonly code: string })
  | (At & { readonly act: 'project suspend' | 'project resume' | 'project delete'; readonly project: string })
  | (At & { readonly act: 'destination block' | 'destination unblock'; readonly host: string })
  | (At & { readonly act: 'key revoke'; readonly keyId: string });

interface At {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string | undefined;
}

const partition = 'TAKEDOWN';

/** The act's subject, which has one item with the last act. */
export const takedownSubject = (takedown: Takedown): string => {
  if ('code' in takedown) return `link ${takedown.project}/${takedown.code}`;
  if ('project' in takedown) return `project ${takedown.project}`;
  return 'host' in takedown ? `destination ${takedown.host}` : `key ${takedown.keyId}`;
};

export interface TakedownRecord {
  note(takedown: Takedown): Promise<void>;
  /** The last act on every subject. */
  all(): Promise<Takedown[]>;
}

/** The record in its own table, which restores of the service's table don't affect. */
export const takedownRecord = (table: Pick<Table, 'put' | 'query'>): TakedownRecord => ({
  note: (takedown) =>
    table.put({
      Item: {
        PK: partition,
        SK: takedownSubject(takedown),
        ...Object.fromEntries(Object.entries(takedown).filter(([, value]) => value !== undefined)),
      },
    }),

  async all() {
    const items = await table.query(itemsOf(partition));
    // They were written by `note`.
    return items.map(({ PK, SK, ...takedown }) => takedown as unknown as Takedown);
  },
});

/** Records an act. Throws OperatorError if that fails, because a restore would undo the act. */
export const noteTakedown = async (
  { takedowns }: { readonly takedowns?: TakedownRecord | undefined },
  takedown: Takedown,
): Promise<void> => {
  await takedowns?.note(takedown).catch((error: Error) => {
    throw new OperatorError(
      `The change was applied but not recorded, so a restore would undo it: repeat the command (${error.message})`,
    );
  });
};
