import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The position from which a shard's reader continues. */
export interface ShardPosition {
  /** The engine's number of the last finished record; undefined: none yet. */
  readonly after?: string;
  /** Records from before this second are skipped (a mapping that starts at LATEST). */
  readonly since?: number;
  /** The open tumbling window, in epoch seconds. */
  readonly window?: OpenWindow;
  /** Whether every record is finished and no more will come. */
  readonly ended?: boolean;
}

export interface OpenWindow {
  readonly start: number;
  readonly shard: string;
  readonly state: object;
}

export interface Checkpoints {
  get(shardId: string): ShardPosition | undefined;
  /** Saves a position within half a second, in the background: writing the file takes as long as a batch. */
  save(shardId: string, position: ShardPosition): void;
  /** Resolves when all saved positions are on disk. */
  flush(): Promise<void>;
}

/** Folder of positions in a stack's data. */
export const positionsIn = (data: string): string => join(data, 'stream-positions');

/**
 * Opens positions by shard, in one file per mapping and stream. If the file is lost or broken, the mapping starts over:
 * records come twice, none is lost.
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
    // Serially, because all writes go to the same file.
    if (timer) written = written.then(write);
    clearTimeout(timer);
    timer = undefined;
    return written;
  };
  const save = (shardId: string, position: ShardPosition) => {
    positions.set(shardId, position);
    timer ??= setTimeout(flush, 500).unref();
  };
  return { get: (shardId) => positions.get(shardId), save, flush };
}

function read(file: string): [string, ShardPosition][] {
  try {
    return Object.entries<ShardPosition>(JSON.parse(readFileSync(file, 'utf8'))).filter(([, position]) =>
      isPosition(position),
    );
  } catch {
    return [];
  }
}

function isPosition(position: ShardPosition): boolean {
  return typeof position === 'object' && position !== null && /^\d+$/.test(position.after ?? '0');
}
