import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A message's place in a FIFO queue. */
export interface Fifo {
  readonly group: string;
  readonly deduplicationId: string;
  readonly sequenceNumber: string;
}

/** A message of a queue. Times are in epoch milliseconds. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** Of a FIFO queue. */
  readonly fifo?: Fifo;
  /** The sender, as AWS names an assumed role. */
  readonly sender: string;
  readonly sent: number;
  /** The earliest time of its first receipt. */
  readonly due: number;
  receives: number;
  firstReceived?: number;
}

/** One line of the file. Reading a line twice changes nothing. */
type Change =
  | { readonly put: Message }
  | { readonly received: string; readonly times: number; readonly at: number }
  | { readonly removed: string };

export interface QueueFile {
  /** The messages that the file held when it was opened, in their order. */
  readonly messages: readonly Message[];
  /** Resolves when the change is on disk. Changes that come meanwhile share the next sync. */
  write(change: Change): Promise<void>;
  close(): Promise<void>;
}

/** The number of lines about deleted messages after which the file is rewritten. */
const spareLines = 10_000;

/** A file that keeps nothing. */
export const noFile: QueueFile = {
  messages: [],
  write: async () => undefined,
  close: async () => undefined,
};

/**
 * A queue's messages as an append-only file of changes, which is read again at the next start. A line that a
 * crash cut off was never acknowledged, so it is dropped.
 */
export async function openQueueFile(path: string): Promise<QueueFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const messages = new Map<string, Message>();
  for (const line of linesOf(path)) apply(messages, JSON.parse(line) as Change);
  const found = [...messages.values()].map((message) => ({ ...message }));
  let file = await rewrite(path, messages);
  let lines = messages.size;
  let waiting: { readonly line: string; readonly done: PromiseWithResolvers<void> }[] = [];
  let running: Promise<void> | undefined;

  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        // The changes of this group are in `messages` already.
        if (lines > 2 * messages.size + spareLines) {
          await file.close();
          file = await rewrite(path, messages);
          lines = messages.size;
        } else {
          await file.appendFile(group.map(({ line }) => line).join(''));
          await file.datasync();
          lines += group.length;
        }
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    running = undefined;
  };
  const write = (change: Change) => {
    apply(messages, change);
    const done = Promise.withResolvers<void>();
    waiting.push({ line: `${JSON.stringify(change)}\n`, done });
    running ??= Promise.resolve().then(run);
    return done.promise;
  };
  const close = async () => {
    await running;
    await file.close();
  };
  return { messages: found, write, close };
}

/** The complete lines of a file. */
function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function apply(messages: Map<string, Message>, change: Change): void {
  if ('put' in change) messages.set(change.put.id, { ...change.put });
  else if ('removed' in change) messages.delete(change.removed);
  else {
    const message = messages.get(change.received);
    if (!message) return;
    message.receives = change.times;
    message.firstReceived ??= change.at;
  }
}

/** Replaces the file with the remaining messages, and opens it for further lines. */
async function rewrite(path: string, messages: ReadonlyMap<string, Message>): Promise<FileHandle> {
  const next = `${path}.new`;
  const written = openSync(next, 'w', 0o600);
  try {
    for (const put of messages.values()) writeSync(written, `${JSON.stringify({ put })}\n`);
    fdatasyncSync(written);
  } finally {
    closeSync(written);
  }
  renameSync(next, path);
  return open(path, 'a');
}
