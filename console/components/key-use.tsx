import { day } from '../format.ts';

interface KeyUseProps {
  readonly revokedAt?: string | undefined;
  readonly lastUsedOn?: string | undefined;
}

/** Whether a key works, and when it was last used. */
export const KeyUse = ({ revokedAt, lastUsedOn }: KeyUseProps) =>
  revokedAt ? (
    <span class="badge">Revoked {day(revokedAt)}</span>
  ) : lastUsedOn ? (
    <span class="badge active">Used {day(lastUsedOn)}</span>
  ) : (
    <span class="badge warn">Never used</span>
  );
