import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a shard's reader continues. */
export interface ShardPosition {
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
  get(shardId: string): ShardPosition | undefined;
  /** On disk within half a second, beside the batches: to write the file takes as long as one. */
  save(shardId: string, position: ShardPosition): void;
  /** Resolves when all that was saved is on disk. */
  flush(): Promise<void>;
}

/** Their folder in a stack's data. That of 1.2 has another name, so a folder that goes back to 1.2 has them as 1.2 left them. */
export const positionsIn = (data: string): string => join(data, 'stream-positions');

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
  const save = (shardId: string, position: ShardPosition) => {
    positions.set(shardId, position);
    timer ??= setTimeout(flush, 500).unref();
  };
  return { get: (shardId) => positions.get(shardId), save, flush };
}

/**
 * Lets readers of streams go on, in another folder, where they were in this one. `added` says how much greater the numbers of
 * a shard's records are by now.
 */
export function copyPositions(from: string, to: string, added: (shardId: string) => number): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const positions = read(join(from, name)).map(
      ([shard, { after, ...position }]): [string, ShardPosition] => [
        shard,
        { ...position, ...(after !== undefined && { after: String(Number(after) + added(shard)) }) },
      ],
    );
    writeFileSync(join(to, name), JSON.stringify(Object.fromEntries(positions)), {
      mode: 0o600,
      flush: true,
    });
  }
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
