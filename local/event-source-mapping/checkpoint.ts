import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a shard's reader continues. */
export interface Position {
  /** The engine's number of the last record that is done with; undefined: none yet. */
  readonly after?: string;
  /** Records from before this second are passed over (a mapping that starts at LATEST). */
  readonly since?: number;
  /** The open tumbling window, in epoch seconds. */
  readonly window?: OpenWindow;
  /** Every record is done with and no more will come. */
  readonly ended?: boolean;
}

export interface OpenWindow {
  readonly start: number;
  readonly shard: string;
  readonly state: object;
}

export interface Checkpoints {
  get(shardId: string): Position | undefined;
  /** On disk within half a second, beside the batches: to write the file takes as long as one. */
  save(shardId: string, position: Position): void;
  /** Resolves when all that was saved is on disk. */
  flush(): Promise<void>;
}

/**
 * Positions by shard, in one file per mapping and stream. A lost or broken file means that the mapping
 * begins again: records come twice, none is lost.
 */
export function openCheckpoints(
  folder: string | undefined,
  mappingId: string,
  streamArn: string,
): Checkpoints {
  const file = folder && join(folder, `${mappingId}-${hash('md5', streamArn).slice(0, 8)}.json`);
  if (folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const positions = new Map(file ? read(file) : []);
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();
  const write = async () => {
    if (!file) return;
    await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(positions)));
    await rename(`${file}.new`, file);
  };
  const flush = () => {
    // One after the other, since all write the same file.
    if (timer) written = written.then(write);
    clearTimeout(timer);
    timer = undefined;
    return written;
  };
  const save = (shardId: string, position: Position) => {
    positions.set(shardId, position);
    timer ??= setTimeout(flush, 500).unref();
  };
  return { get: (shardId) => positions.get(shardId), save, flush };
}

function read(file: string): [string, Position][] {
  try {
    return Object.entries<Position>(JSON.parse(readFileSync(file, 'utf8'))).filter(([, position]) =>
      isPosition(position),
    );
  } catch {
    return [];
  }
}

function isPosition(position: Position): boolean {
  return typeof position === 'object' && position !== null && /^\d+$/.test(position.after ?? '0');
}
