import { linkKey } from '../table/keys.ts';
import type { Updates } from '../table/table.ts';
import { updateWhen } from '../table/update.ts';

/** The stored state of links that have expired. */
export const linkExpiries = (table: Updates) => ({
  /**
   * Stores that a link has expired, after TTL deleted its expiry marker. False for a marker of an outdated expiry, and
   * for a repeated call.
   */
  expire: (project: string, code: string, expiresAt: string): Promise<boolean> => {
    const when = '#expiresAt = :expiresAt AND #status IN (:active, :paused)';
    const values = { active: 'ACTIVE', paused: 'PAUSED', expiresAt };
    return updateWhen(table, linkKey(project, code), { set: { status: 'EXPIRED' }, when, values });
  },
});
