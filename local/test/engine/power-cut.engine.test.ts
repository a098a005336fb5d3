import { fdatasync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import type { JsonService } from '../../base/json-service.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { type EngineFile, openEngineFile } from '../../engine/engine-file.ts';
import { startEngineProxy } from '../../engine/engine-proxy.ts';
import { sharedHold } from '../../engine/held-records.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { writeRuns } from '../table-gateway/write-templates.ts';
import { aTable, key } from '../tables/table.ts';
import { type LogEnd, logEnd } from './write-ahead-log.ts';

const table = aTable('Cut');
const TableName = 'Cut';
/** Writes of each of six writers, and power cuts among all of them. */
const { seed, numRuns: rounds } = writeRuns(40);

const folder = mkdtempSync(join(tmpdir(), 'power-cut-'));
const held = sharedHold();
let engine: Engine;
let file: string;
let stream: EngineFile;
let proxy: JsonService;
let gateway: JsonService;
let client: EngineClient;

/** What is on disk for certain: the file's log up to where the last sync began, or the engine's last commit. */
let certain: LogEnd;
/** Calls that the engine works on. It syncs what it commits before anybody sees it. */
let byEngine = 0;
/** What was told of each counter: its increments that were answered, or a number that was read. */
const answered = new Map<string, number>();
/** Numbers of stream records that a reader was shown. */
const shown: string[] = [];

beforeAll(async () => {
  engine = await startEngine({ engine: 'dynoxide', data: folder });
  await ensureTables(engine.endpoint, [table]);
  file = engine.file ?? '';
  certain = logEnd(readFileSync(`${file}-wal`));
  proxy = await startEngineProxy(engine.endpoint, async (_, forward) => {
    byEngine += 1;
    const answer = await forward();
    certain = logEnd(readFileSync(`${file}-wal`));
    byEngine -= 1;
    return answer;
  });
  gateway = await startTableGateway({
    endpoint: proxy.endpoint,
    tables: [table],
    principals: new Map(),
    enforce: false,
    sharesCommits: true,
    file,
    writesBeside: { version: engine.version, held, sync },
  });
  client = engineClient(gateway.endpoint);
  const opened = openEngineFile(file, held);
  if (!opened) throw new Error("the engine's file can't be read");
  stream = opened;
});
afterAll(async () => {
  stream.close();
  client.close();
  await gateway.stop();
  await proxy.stop();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The sync of the gateway, of a slow disk. The power may be cut before it, and when others have gone on. */
const sync = async (descriptor: number) => {
  const end = logEnd(readFileSync(`${file}-wal`));
  mayBeCut();
  await sleep(5);
  mayBeCut();
  await promisify(fdatasync)(descriptor);
  // Unless the log has begun anew since, or the engine has synced more of it.
  const isPast = logEnd(readFileSync(`${file}-wal`)).salt !== end.salt;
  if (!isPast && (end.salt !== certain.salt || end.offset > certain.offset)) certain = end;
};

interface Cut {
  readonly database: Buffer;
  readonly log: Buffer;
  /** Where the log may be lost from. */
  readonly uncertain: number;
  readonly answered: ReadonlyMap<string, number>;
  readonly shown: readonly string[];
}

/** Both files at one moment: this thread is busy with it, and the engine is stopped. */
const cut = (): Cut => {
  const { enginePid } = JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8'));
  const records = stream.recordsOf(TableName, { after: shown.at(-1), limit: 1000 });
  shown.push(...records.map(({ dynamodb }) => dynamodb.SequenceNumber));
  process.kill(enginePid, 'SIGSTOP');
  try {
    const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    const { salt } = logEnd(log);
    // A log that begins anew has lost nothing: all before was synced into the file.
    const uncertain = salt === certain.salt ? certain.offset : 0;
    return { database, log, uncertain, answered: new Map(answered), shown: [...shown] };
  } finally {
    process.kill(enginePid, 'SIGCONT');
  }
};

/** What a power cut may leave of the log's uncertain end. */
type Left = 'whole' | 'cut off' | 'damaged';

/** Why a cut took too much. */
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
const where = new Set<number>();

const mayBeCut = () => {
  const chance = chances.next().value;
  if (!chance || chance.isCut > 0 || where.size >= rounds || byEngine > 0) return;
  const one = cut();
  const from = one.uncertain + Math.floor((one.log.length - one.uncertain) * chance.where);
  where.add(one.uncertain);
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

/** Reads what a power cut left, and throws unless it has all that anybody was told. */
const mustHaveAll = ({ database, log, answered, shown }: Omit<Cut, 'uncertain'>) => {
  const copy = join(folder, 'copy.sqlite');
  rmSync(`${copy}-shm`, { force: true });
  writeFileSync(copy, database);
  writeFileSync(`${copy}-wal`, log);
  const left = new DatabaseSync(copy);
  try {
    expect(left.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    const count = left.prepare(`SELECT item_json FROM "${TableName}" WHERE pk = 'S:' || ?`);
    const countOf = (id: string) => Number(JSON.parse(String(count.get(id)?.item_json ?? '{}')).n?.N ?? 0);
    expect([...answered].filter(([id, most]) => countOf(id) < most)).toEqual([]);
    const last = left
      .prepare('SELECT max(CAST(sequence_number AS INTEGER)) AS last FROM _stream_records')
      .get()?.last;
    expect(Number(shown.at(-1) ?? 0)).toBeLessThanOrEqual(Number(last));
  } finally {
    left.close();
  }
};

const told = (id: string, count: number) => answered.set(id, Math.max(count, answered.get(id) ?? 0));

const made = new Map<string, number>();
const countUp = async (id: string, more: object = {}) => {
  await client.call('UpdateItem', {
    TableName,
    Key: key(id),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ...more,
  });
  made.set(id, (made.get(id) ?? 0) + 1);
  told(id, made.get(id) ?? 0);
};

const read = async (id: string) => {
  const { Item } = await client.call<{ Item?: { n: { N: string } } }>('GetItem', { TableName, Key: key(id) });
  told(id, Number(Item?.n.N ?? 0));
};

/** A write that only the engine makes. */
const countByEngine = (id: string) => countUp(id, { ReturnValues: 'UPDATED_NEW' });

test('a power cut takes nothing that was answered or shown by the stream', async () => {
  const random = fc.sample(fc.array(fc.nat({ max: 99 }), { minLength: rounds * 6, maxLength: rounds * 6 }), {
    seed,
    numRuns: 1,
  })[0] as number[];
  const writer = async (own: readonly number[]) => {
    for (const draw of own) {
      const write = draw < 5 ? countByEngine : countUp;
      await Promise.all([write(`item-${draw % 12}`), read(`item-${draw % 7}`)]);
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, i) => writer(random.slice(i * rounds, (i + 1) * rounds))));
  expect(faults).toEqual([]);
  expect(where.size).toBeGreaterThan(10);
  expect(shown.length).toBeGreaterThan(0);
});
