import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readClick, type VisitorChange } from '../core/clicks/click-record.ts';
import type { AllStores } from '../core/stores.ts';
import { expiryKey } from '../core/table/keys.ts';
import { OperatorError } from './operator-error.ts';

/** What an event source mapping writes to its on-failure bucket, as far as it is needed here. */
interface InvocationRecord {
  readonly DDBStreamBatchInfo: {
    readonly shardId: string;
    readonly startSequenceNumber: string;
    readonly streamArn: string;
  };
  /** The event in JSON. */
  readonly payload: string;
}

interface Batch {
  readonly shard: string;
  readonly start: string;
  readonly changes: readonly (VisitorChange | undefined)[];
}

export interface Outcome {
  /** Batches that were read. */
  batches: number;
  /** Records of clicks that were added now. */
  added: number;
  /** Records of clicks that were counted before, or that are too old to know. */
  skipped: number;
  /** Links whose expiry was stored now. */
  expired: number;
  /** Unreadable records, and files that aren't batches. */
  unreadable: number;
}

interface Redriving {
  readonly stores: Pick<AllStores, 'figures' | 'links'>;
  /** For how many days figures over time are kept; for ever without it. */
  readonly retentionDays?: number | undefined;
  readonly now: Date;
  /** Takes what the operator should know of files that were left out. */
  readonly note?: (text: string) => void;
}

/** Does what failed batches would have done. Skips what is done already, so repeating it is harmless. */
export const redrive = async (
  folder: string,
  { stores: { figures, links }, retentionDays, now, note }: Redriving,
): Promise<Outcome> => {
  const files = await filesIn(folder);
  const read = await Promise.all(files.map(readBatch));
  const batches = read.filter((batch) => batch !== undefined);
  const left = files
    .filter((_, i) => read[i] === undefined)
    .map((file) => path.relative(folder, file))
    .sort();
  if (left.length > 0) note?.(leftOut(left));
  const outcome = {
    batches: batches.length,
    added: 0,
    skipped: 0,
    expired: 0,
    unreadable: left.length,
  };
  for (const { shard, changes } of batches.sort(inOrder)) {
    const clicks = changes.map((change) => readClick(change));
    const records = clicks.filter((click) => click !== undefined);
    const { added, skipped } = await figures.redrive({ shard, records, retentionDays }, now);
    outcome.added += added;
    outcome.skipped += skipped;
    for (const change of changes.filter((_, i) => clicks[i] === undefined)) {
      const marker = markerOf(change);
      if (!marker) outcome.unreadable += 1;
      else if (await links.expire(marker.project, marker.code, marker.expiresAt)) outcome.expired += 1;
    }
  }
  return outcome;
};

/** Files that an operator can look for without more help. */
const named = 5;

const leftOut = (files: readonly string[]): string =>
  [
    `${files.length} of the files can't be read as batches:`,
    `${files.slice(0, named).join(', ')}${files.length > named ? ' …' : ''}.`,
    'Copy batches from the bucket again, and redrive them less than 46 hours after their clicks',
  ].join(' ');

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new OperatorError(`The folder ${folder} can't be read`);
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

const readBatch = async (file: string): Promise<Batch | undefined> => {
  try {
    const { DDBStreamBatchInfo: info, payload } = JSON.parse(
      await readFile(file, 'utf8'),
    ) as InvocationRecord;
    const { Records } = JSON.parse(payload) as { Records: { dynamodb?: VisitorChange }[] };
    return {
      shard: `${info.streamArn}/${info.shardId}`,
      start: info.startSequenceNumber.padStart(40, '0'),
      changes: Records.map(({ dynamodb }) => dynamodb),
    };
  } catch {
    return undefined;
  }
};

const inOrder = (one: Batch, other: Batch): number => (one.start < other.start ? -1 : 1);

/** The expiry that the deletion of a marker signals. */
const markerOf = (change: VisitorChange | undefined) => {
  const { project, code, expiresAt } = change?.OldImage ?? {};
  if (change?.Keys?.SK?.S !== expiryKey('', '').SK || !project?.S || !code?.S || !expiresAt?.S)
    return undefined;
  return { project: project.S, code: code.S, expiresAt: expiresAt.S };
};
