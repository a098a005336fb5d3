import { itemsOf } from '../../core/table/ranges.ts';
import type { Table } from '../../core/table/table.ts';
import { OperatorError } from '../base/operator-error.ts';

/** What operators did to something, as their commands are named. */
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

/** What the act is about: each has one item, which says what was done to it last. */
export const takedownSubject = (takedown: Takedown): string => {
  if ('code' in takedown) return `link ${takedown.project}/${takedown.code}`;
  if ('project' in takedown) return `project ${takedown.project}`;
  return 'host' in takedown ? `destination ${takedown.host}` : `key ${takedown.keyId}`;
};

export interface TakedownRecord {
  note(takedown: Takedown): Promise<void>;
  /** The last act on everything that operators ever took down. */
  all(): Promise<Takedown[]>;
}

/** In a table of its own, which no restore of the service's table touches. */
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

/** Notes what was just done. Throws OperatorError if that fails: a restore would not know of it. */
export const noteTakedown = async (
  { takedowns }: { readonly takedowns?: TakedownRecord | undefined },
  takedown: Takedown,
): Promise<void> => {
  await takedowns?.note(takedown).catch((error: Error) => {
    throw new OperatorError(
      `It is done, but not in the record of take-downs, so a restore would undo it: repeat the command (${error.message})`,
    );
  });
};
