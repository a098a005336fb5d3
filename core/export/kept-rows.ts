import type { TableAccess } from '../table/connection.ts';
import { signedPut } from '../table/signature.ts';

/** Keeps rows as a file; the same name again replaces it. Throws when it may not have succeeded. */
export type KeepRows = (name: string, rows: string) => Promise<void>;

/** For one file. */
const deadlineMs = 5000;

/** S3's PutObject. Names have only characters that need no encoding. */
export const keptRows =
  ({ endpoint, region, credentials }: TableAccess, bucket: string): KeepRows =>
  async (name, rows) => {
    const path = `/${bucket}/${name}`;
    const { host: _, ...headers } = signedPut(
      { host: endpoint.host, region, path, body: rows },
      credentials(),
    );
    const answer = await fetch(new URL(path, endpoint), {
      method: 'PUT',
      headers,
      body: rows,
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`S3 answered ${answer.status}: ${text.slice(0, 300)}`);
  };
