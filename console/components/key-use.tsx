import { day } from '../format.ts';

interface KeyNameProps {
  readonly keyId: string;
  readonly createdBy: string;
  readonly lastFour?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A key's name with its last four letters; of a key from before 1.4, those of its id. */
export const keyName = ({ keyId, createdBy, lastFour, apiKey = keyId }: KeyNameProps): string =>
  `${createdBy} …${lastFour ?? apiKey.slice(-4)}`;

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
    <span class="badge">Never used</span>
  );
