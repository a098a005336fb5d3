import type { SQSRecord } from 'aws-lambda';
import { visitorKey } from '../../core/table/analytics-keys.ts';
import { type Key, linkKey } from '../../core/table/keys.ts';
import { forClicks } from '../../core/table/retry-policy.ts';
import type { EnqueueClick } from '../../core/visits/click-queue.ts';
import { type Click, clickStore, clickWrite, openWrite } from '../../core/visits/click-store.ts';
import { type LateWrite, lateClickStore } from '../../core/visits/late-click-store.ts';
import { openIdHash } from '../../core/visits/visitor-identity.ts';
import { clickRecorder } from '../../lambdas/queues/record-clicks.ts';
import { recorder } from '../../lambdas/short-urls/recorder.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { aClick } from '../support/builders.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { fileTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openLeanTable, openWholeTable } from '../support/lean-table.ts';
import { mortal } from '../support/mortal-table.ts';
import { ofFile } from '../support/of-file.ts';

const schedules = Number(process.env.FAULT_SCHEDULES ?? 6);
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
ofFile(captureFunctionLog);
// Also where a schedule fails: other files of the worker need chance.
let random: jest.SpyInstance | undefined;
afterEach(() => random?.mockRestore());

const noon = Date.parse('2026-11-22T12:00:00.000Z');

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;

/** One schedule: clicks sent by visitor, and their way through the queue and its consumer. */
class Queue {
  readonly dice: Dice;
  readonly code: string;
  /** By the visitor's key at the time of the click. */
  readonly sent = new Map<string, number>();
  readonly uncertain = new Map<string, string>();
  /** Keys of repeatable openings at the time of a request. */
  readonly openings = new Set<string>();
  messages: SQSRecord[] = [];
  /** The link's groups now. */
  groups = 1;

  constructor(seed: number) {
    this.dice = diceOf(seed);
    this.code = `queue-${seed}`;
  }

  readonly enqueueClick: EnqueueClick = async (late) => {
    this.messages.push({
      messageId: `${this.messages.length}-${late.write.id}`,
      body: JSON.stringify({ v: 1, ...late }),
    } as SQSRecord);
  };

  click(number: number): Click {
    const visitor = `visitor-${this.dice.below(2)}`;
    const key = nameOf(visitorKey('acme', this.code, visitor, this.groups));
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    return aClick({
      ...{ code: this.code, groups: this.groups, visitor, clickId: `${this.code}-${number}` },
      at: new Date(noon + (number * 30 - this.dice.below(60)) * 1000),
    });
  }

  /** A request of one of two openings; the app repeats both again and again. */
  opening(number: number) {
    const link = { project: 'acme', code: this.code };
    const write = openWrite({
      ...link,
      groups: this.groups,
      visitor: openIdHash('secret', link, `opening-${this.dice.below(2)}-of-an-app`),
      platform: 'ios',
      isFirst: this.dice.once(2),
      at: new Date(noon + number * 8 * 3_600_000),
    });
    this.openings.add(nameOf(write.Key));
    return write;
  }

  /** Prepares the link for fame, while clicks wait and others come. */
  async spread(): Promise<void> {
    this.groups *= 8;
    await db.table.put({ Item: { ...linkKey('acme', this.code), groups: this.groups } });
  }

  /** A batch in any order, of which some messages come again; the function may die at any of its calls. */
  async deliver(isLast = false): Promise<void> {
    const { dice } = this;
    const batch = this.messages.filter(() => isLast || dice.once(2)).sort(() => dice.below(3) - 1);
    const dies = !isLast && dice.once(2) ? dice.below(12) : Number.POSITIVE_INFINITY;
    const { table, death } = mortal(openWholeTable(faulty.endpoint, { random: () => 0 }), dies);
    const { record, ...rest } = lateClickStore(table);
    const noted = async (late: LateWrite, now: Date) => {
      const outcome = await record(late, now);
      if (outcome === 'uncertain') this.uncertain.set(late.write.id, nameOf(late.write.Key));
      return outcome;
    };
    const consume = clickRecorder({ lateClicks: { ...rest, record: noted } });
    const answer = await Promise.race([consume({ Records: batch }), death]);
    if (answer === 'died') return;
    const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const isDone = (message: SQSRecord) => batch.includes(message) && !failed.has(message.messageId);
    // At least once: a message that was done with may come again.
    this.messages = this.messages.filter((message) => !isDone(message) || (!isLast && dice.once(4)));
  }
}

const run = async (seed: number): Promise<void> => {
  const queue = new Queue(seed);
  const { dice, code } = queue;
  await db.table.put({ Item: linkKey('acme', code) });
  const [throttles, losses] = [dice.pick([0, 2, 4]), dice.pick([0, 3, 6])];
  // Pauses: mostly none.
  random = jest.spyOn(Math, 'random').mockImplementation(() => (dice.once(8) ? 0.2 : 0));
  faulty.fault = () => {
    if (throttles > 0 && dice.once(throttles)) return 'throttle';
    return losses > 0 && dice.once(losses) ? 'lose-answer' : 'none';
  };
  const clicks = clickStore(openLeanTable(faulty.endpoint, forClicks));
  let record = recorder({ clicks }, queue.enqueueClick);
  for (let number = 0; number < 24; number += 1) {
    if (dice.once(8)) await queue.spread();
    // Mostly another container, which doesn't know yet that the table fails.
    if (!dice.once(4)) record = recorder({ clicks }, queue.enqueueClick);
    await record(clickWrite(queue.click(number)));
    const opening = queue.opening(number);
    await Promise.all(Array.from({ length: dice.below(3) + 1 }, () => record(opening)));
    if (dice.once(5)) await queue.deliver();
  }
  random.mockRestore();
  faulty.fault = () => 'none';
  for (let again = 0; again < 5 && queue.messages.length > 0; again += 1) await queue.deliver(true);
  expect(queue.messages).toEqual([]);
  for (const [key, sent] of queue.sent) {
    const [PK = '', SK = ''] = key.split(' ');
    const shown = Number((await db.table.get({ PK, SK }))?.hits ?? 0);
    const uncertain = [...queue.uncertain.values()].filter((one) => one === key).length;
    if (shown > sent || shown < sent - uncertain)
      throw new Error(`${key} shows ${shown} of ${sent} clicks, of which ${uncertain} are uncertain`);
  }
  for (const key of queue.openings) {
    const [PK = '', SK = ''] = key.split(' ');
    expect(await db.table.get({ PK, SK })).toMatchObject({ opens: 1 });
  }
};

test(
  `clicks that wait in the queue count once, and so do openings that are repeated, under ${schedules} schedules of faults`,
  async () => {
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1)
      await run(seed).catch((cause) => {
        throw new Error(`FAULT_SEED=${seed}: ${cause.message}`, { cause });
      });
  },
  schedules * 5000,
);
