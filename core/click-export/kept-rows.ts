import { hash } from 'node:crypto';
import type { TableAccess } from '../table/connection.ts';
import { signed } from '../table/signature.ts';

/** Keeps rows as a file; the same name again replaces it. Throws when it may not have succeeded. */
export type KeepRows = (name: string, rows: string) => Promise<void>;

/** For one file. */
const deadlineMs = 5000;

/** S3's PutObject. Names have only characters that need no encoding. */
export const keptRows =
  ({ service, endpoint, region, credentials }: TableAccess, bucket: string): KeepRows =>
  async (name, rows) => {
    const path = `/${bucket}/${name}`;
    const own = { host: endpoint.host, 'x-amz-content-sha256': hash('sha256', rows) };
    const { host: _, ...headers } = signed(
      { method: 'PUT', path, headers: own, body: rows, region, service },
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
