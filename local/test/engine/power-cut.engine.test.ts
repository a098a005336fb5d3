import { fdatasync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { startCheckpoints } from '../../engine/sqlite/checkpoints.ts';
import { type OpenStreamFile, openStreamFile } from '../../engine/sqlite/stream-file.ts';
import { newFolder } from '../folder.ts';
import { writeRuns } from '../table-gateway/write-templates.ts';
import { key } from '../tables/table.ts';
import { until } from '../until.ts';
import { addOne, openEngine } from './open-engine.ts';
import { type LogEnd, logEnd } from './write-ahead-log.ts';

const TableName = 'Cut';
/** Writes of each of six writers, and the most power cuts among all of them. */
const { seed, numRuns: rounds } = writeRuns(40);

const folder = newFolder();
let file: string;
let stream: OpenStreamFile;
let engine: ReturnType<typeof openEngine>;
let endCheckpoints: () => void;
let checkpoints = 0;

/** The part certainly on disk: the file's log up to the start of the last sync. */
let certain: LogEnd = { salt: '', offset: 0 };
/** The confirmed value of each counter: acknowledged increments, or a number that was read. */
const answered = new Map<string, number>();
/** Numbers of stream records that a reader has seen. */
const shown: string[] = [];

beforeAll(async () => {
  engine = openEngine({ folder, sync });
  ({ file } = engine.streamFile);
  await engine.createTable(TableName);
  stream = openStreamFile(engine.streamFile);
  endCheckpoints = startCheckpoints(engine.streamFile, beforeCheckpoint, 20);
  isPlayed = true;
});
afterAll(async () => {
  isPlayed = false;
  endCheckpoints();
  stream.close();
  await engine.close();
});

/** Whether the power may be cut. */
let isPlayed = false;

/** The sync of a slow disk. The power may be cut before it, and while other work continues. */
const sync = async (descriptor: number) => {
  const end = logEnd(readFileSync(`${file}-wal`));
  mayBeCut();
  await sleep(5);
  mayBeCut();
  await promisify(fdatasync)(descriptor);
  // Unless the log has restarted since.
  const isPast = logEnd(readFileSync(`${file}-wal`)).salt !== end.salt;
  if (!isPast && (end.salt !== certain.salt || end.offset > certain.offset)) certain = end;
};

/** A checkpoint syncs the log before it writes to the file. */
const beforeCheckpoint = () => {
  certain = logEnd(readFileSync(`${file}-wal`));
  checkpoints += 1;
  // Nothing seems to be written before every second one, which empties the log.
  return Math.floor(checkpoints / 2);
};

interface Cut {
  readonly database: Buffer;
  readonly log: Buffer;
  /** Offset from which the log may be lost. */
  readonly uncertain: number;
  readonly answered: ReadonlyMap<string, number>;
  readonly shown: readonly string[];
}

/** Both files at one moment, because this thread blocks. */
const cut = (): Cut => {
  const records = stream.recordsOf(TableName, { after: shown.at(-1), limit: 1000 });
  shown.push(...records.map(({ dynamodb }) => dynamodb.SequenceNumber));
  const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  const { salt } = logEnd(log);
  // A log that begins anew has lost nothing: all before was synced into the file.
  const uncertain = salt === certain.salt ? certain.offset : 0;
  return { database, log, uncertain, answered: new Map(answered), shown: [...shown] };
};

/** The state of the log's uncertain end after a power cut. */
type Left = 'whole' | 'cut off' | 'damaged';

/** Reasons why a cut lost too much. */
const faults: string[] = [];
const chances = fc
  .sample(
    fc.record({
      isCut: fc.nat({ max: 4 }),
      left: fc.constantFrom<Left>('whole', 'cut off', 'damaged'),
      where: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.nat({ max: 255 }),
    }),
    { seed, numRuns: 100_000 },
  )
  .values();
let cuts = 0;

const mayBeCut = () => {
  const chance = chances.next().value;
  if (!chance || chance.isCut > 0 || cuts >= rounds || !isPlayed) return;
  const one = cut();
  const from = one.uncertain + Math.floor((one.log.length - one.uncertain) * chance.where);
  cuts += 1;
  const logs: Readonly<Record<Left, Buffer>> = {
    whole: one.log,
    'cut off': one.log.subarray(0, from),
    damaged: Buffer.from(one.log).fill(chance.byte, from, Math.min(from + 5000, one.log.length)),
  };
  try {
    mustHaveAll({ ...one, log: logs[chance.left] });
  } catch (error) {
    faults.push(`WRITES_SEED=${seed}: the log ${chance.left} from ${from}: ${error}`);
  }
};

/** Reads the files after a power cut. Throws unless they have everything that was acknowledged. */
const mustHaveAll = ({ database, log, answered, shown }: Omit<Cut, 'uncertain'>) => {
  const copy = join(folder, 'copy.sqlite');
  rmSync(`${copy}-shm`, { force: true });
  writeFileSync(copy, database);
  writeFileSync(`${copy}-wal`, log);
  const left = new DatabaseSync(copy);
  try {
    expect(left.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    const count = left.prepare(`SELECT item FROM "items ${TableName}" WHERE pk = ?`);
    const countOf = (id: string) => Number(JSON.parse(String(count.get(id)?.item ?? '{}')).n?.N ?? 0);
    expect([...answered].filter(([id, most]) => countOf(id) < most)).toEqual([]);
    const last = left.prepare('SELECT max(number) AS last FROM changes').get()?.last;
    expect(Number(shown.at(-1) ?? 0)).toBeLessThanOrEqual(Number(last));
  } finally {
    left.close();
  }
};

const noteAnswer = (id: string, count: number) => answered.set(id, Math.max(count, answered.get(id) ?? 0));

const made = new Map<string, number>();
const countUp = async (id: string) => {
  await engine.call('UpdateItem', { TableName, Key: key(id), ...addOne });
  made.set(id, (made.get(id) ?? 0) + 1);
  noteAnswer(id, made.get(id) ?? 0);
};

const read = async (id: string) => {
  const { Item } = await engine.call<{ Item?: { n: { N: string } } }>('GetItem', { TableName, Key: key(id) });
  noteAnswer(id, Number(Item?.n.N ?? 0));
};

test('a power cut takes nothing that was answered or shown by the stream', async () => {
  const random = fc.sample(fc.array(fc.nat({ max: 99 }), { minLength: rounds * 6, maxLength: rounds * 6 }), {
    seed,
    numRuns: 1,
  })[0] as number[];
  const writer = async (own: readonly number[]) => {
    // A busy machine syncs more writes at once, so it needs more of them for as many cuts.
    do for (const draw of own) await Promise.all([countUp(`item-${draw % 12}`), read(`item-${draw % 7}`)]);
    while (cuts <= 10 || checkpoints <= 2);
  };
  await Promise.all(Array.from({ length: 6 }, (_, i) => writer(random.slice(i * rounds, (i + 1) * rounds))));
  expect(faults).toEqual([]);
  expect(shown.length).toBeGreaterThan(0);
  await until(() => statSync(`${file}-wal`).size === 0);
});
