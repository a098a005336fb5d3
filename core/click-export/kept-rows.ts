import { hash } from 'node:crypto';
import type { TableAccess } from '../table/connection.ts';
import { signed } from '../table/signature.ts';

/** Stores rows as a file; the same name replaces it. Throws if it may have failed. */
export type KeepRows = (name: string, rows: string) => Promise<void>;

/** Deadline for a file, in milliseconds. */
const deadlineMs = 5000;

/** Stores rows with S3's PutObject. Names must not need encoding. */
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
