import type { StreamRecord } from '../../core/events/stream-change.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { logError } from '../log.ts';

type Stores = Pick<Granted<UsesOf<'tell'>>, 'links'>;

/** Stores the expiry of links whose expiry markers TTL has deleted. Resolves to the records to deliver again. */
export const storeExpiries = async (
  { links }: Stores,
  records: readonly StreamRecord[],
): Promise<readonly StreamRecord[]> => {
  const removed = records.filter(({ eventName }) => eventName === 'REMOVE');
  const outcomes = await Promise.allSettled(
    removed.map(async ({ dynamodb }) => {
      const { project, code, expiresAt } = (dynamodb?.OldImage ?? {}) as Readonly<
        Record<string, { S?: string }>
      >;
      if (project?.S && code?.S && expiresAt?.S) await links.expire(project.S, code.S, expiresAt.S);
    }),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') logError('An expiry was not stored yet', outcome.reason);
  }
  return removed.filter((_, i) => outcomes[i]?.status === 'rejected');
};
