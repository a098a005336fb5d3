import { writeFileSync } from 'node:fs';
import { engineProgram } from '../../dev/dynamodb-local.ts';
import { type Engine, startEngine } from '../../local/engine/engine.ts';
import { type EngineClient, engineClient } from '../../local/engine/engine-client.ts';
import { diceOf } from '../support/dice.ts';
import { productWrites } from '../writes/product-writes.ts';
import { type Answer, answerTo, type Difference, isSame, recordsOf } from './answers.ts';
import { judgedTables } from './judged-tables.ts';
import { knownDifferences, withoutWords } from './known-differences.ts';
import { type Call, largeCalls, numericCalls, RandomCalls } from './random-calls.ts';
import { oddCalls, recorded, recordedCalls, recordedFile } from './recorded-answers.ts';

/*
 * Our engine is judged by AWS's DynamoDB Local, which needs Java 17. JUDGE_CALLS and JUDGE_SEED choose the random calls;
 * JUDGE_RECORD=1 writes DynamoDB Local's answers to some, with which recorded-answers.engine.test.ts compares each day.
 */
const { JUDGE_CALLS, JUDGE_SEED = '1', JUDGE_RECORD } = process.env;
const describeWithJava = JUDGE_CALLS === undefined ? describe.skip : describe;

/** Calls on the same tables: then both engines begin anew. */
const epochCalls = 250;

let engines: Engine[] = [];
let ours: EngineClient;
let theirs: EngineClient;
beforeEach(async () => {
  engines = await Promise.all([startEngine({ engine: 'sqlite' }), startEngine({ engine: engineProgram() })]);
  [ours, theirs] = engines.map(({ endpoint }) => engineClient(endpoint)) as [EngineClient, EngineClient];
});
afterEach(async () => {
  for (const client of [ours, theirs]) client.close();
  await Promise.all(engines.map((engine) => engine.stop()));
});

const onBoth = (operation: string, inputs: readonly object[]) =>
  Promise.all(
    [ours, theirs].map(async (client) => {
      for (const input of inputs) await client.call(operation, input);
    }),
  );
const tableNames = Object.keys(judgedTables).map((TableName) => ({ TableName }));

/** How often each known difference came. */
const counts = new Map<string, number>();
let unknown: Difference[] = [];
beforeEach(() => {
  unknown = [];
});

/** Makes a call on both. Returns our answer and theirs. */
const compare = async (call: Call): Promise<readonly [Answer, Answer]> => {
  const [our, their] = await Promise.all([answerTo(ours, call), answerTo(theirs, call)]);
  if (isSame(withoutWords(our), withoutWords(their))) return [our, their];
  const difference: Difference = { call, ours: our, theirs: their };
  const known = knownDifferences.find(({ covers }) => covers(difference));
  if (known) counts.set(known.about, (counts.get(known.about) ?? 0) + 1);
  else unknown.push(difference);
  return [our, their];
};

const compareRecords = async () => {
  for (const { TableName } of tableNames.slice(0, 2)) {
    const [our, their] = await Promise.all([ours, theirs].map((client) => recordsOf(client, TableName)));
    expect(Object.fromEntries(our ?? [])).toEqual(Object.fromEntries(their ?? []));
  }
};

describeWithJava('as DynamoDB Local answers', () => {
  test(`${JUDGE_CALLS} random calls from seed ${JUDGE_SEED} on, and their stream records`, async () => {
    const forms = productWrites();
    for (let made = 0, epoch = 0; made < Number(JUDGE_CALLS); epoch++) {
      await onBoth('CreateTable', Object.values(judgedTables));
      const random = new RandomCalls(diceOf(Number(JUDGE_SEED) * 1000 + epoch), forms);
      for (let i = 0; i < epochCalls; i++, made++) {
        const [our, their] = await compare(random.draw());
        // The items differ from here on.
        if ((our.status === 200) !== (their.status === 200)) break;
      }
      await compareRecords();
      await onBoth('DeleteTable', tableNames);
    }
    expect(unknown).toEqual([]);
    console.info([...counts].map(([about, count]) => `${count} × ${about}`).join('\n'));
  }, 3_600_000);

  test('random numbers in odd spellings, and items at the limit of 400 KB', async () => {
    await onBoth('CreateTable', Object.values(judgedTables));
    const dice = diceOf(Number(JUDGE_SEED));
    for (let made = 0; made < Number(JUDGE_CALLS) / 5; made++) {
      for (const call of numericCalls(dice)) await compare(call);
      if (made % 10 === 0) for (const call of largeCalls(dice)) await compare(call);
    }
    expect(unknown).toEqual([]);
  }, 3_600_000);

  test('odd calls', async () => {
    await onBoth('CreateTable', Object.values(judgedTables));
    for (const call of oddCalls()) await compare(call);
    expect(unknown).toEqual([]);
    await compareRecords();
  });

  const testRecording = JUDGE_RECORD === '1' ? test : test.skip;
  testRecording('are recorded', async () => {
    await onBoth('CreateTable', Object.values(judgedTables));
    const random = new RandomCalls(diceOf(1), productWrites());
    const lines: string[] = [];
    for (const call of [...Array.from({ length: recordedCalls }, () => random.draw()), ...oddCalls()]) {
      const answer = await answerTo(theirs, call);
      lines.push(recorded({ ...call, answer }));
    }
    writeFileSync(recordedFile, `${lines.join('\n')}\n`);
  });
});
