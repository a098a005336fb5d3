import type { SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import { visitorKey } from '../../core/table/analytics-keys.ts';
import { AwsError } from '../../core/table/errors.ts';
import { linkKey } from '../../core/table/keys.ts';
import { batchSender } from '../../core/table/queue-batches.ts';
import { forClicks } from '../../core/table/retry-policy.ts';
import { clickStore, clickWrite } from '../../core/visits/click-store.ts';
import { type LateWrite, lateClickStore } from '../../core/visits/late-click-store.ts';
import { clickForwarder } from '../../lambdas/queues/forward-clicks.ts';
import { clickRecorder } from '../../lambdas/queues/record-clicks.ts';
import { recorder } from '../../lambdas/short-urls/recorder.ts';
import type { CallFault } from '../../local/testing/faulty-engine.ts';
import { aClick, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { fileFaults } from '../support/faults.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openLeanTable, openWholeTable } from '../support/lean-table.ts';
import { runs } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const faulty = fileFaults(db);
const clicks = ofFile(() => clickStore(openLeanTable(db.endpoint)));
const lateClicks = ofFile(() => lateClickStore(openLeanTable(db.endpoint)));
ofFile(captureFunctionLog);
let random: jest.SpyInstance | undefined;
afterEach(() => random?.mockRestore());

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const after = (seconds: number) => new Date(noon + seconds * 1000);
const hitsOf = async (code: string, visitor = 'visitor') =>
  Number((await db.table.get(visitorKey('acme', code, visitor)))?.hits ?? 0);

describe('a visit that the first region may have written before the second answered', () => {
  /** What reaches the first region's table: its own write, the message of the second region, and other clicks. */
  type Event = 'home' | 'message' | 'three others' | 'the fourth';
  const orders = (left: readonly Event[]): Event[][] =>
    left.length === 0
      ? [[]]
      : [...new Set(left)].flatMap((first) => {
          const rest = [...left];
          rest.splice(rest.indexOf(first), 1);
          return orders(rest).map((order) => [first, ...order]);
        });
  /** The expected result of each order: how often it counts, and whether a message is uncertain. */
  const expectedOf = (order: readonly Event[]) => {
    const messages = order.flatMap((event, at) => (event === 'message' ? [at] : []));
    const [first = 0] = messages;
    const before = order.slice(0, first);
    const others = (events: readonly Event[]) =>
      events.reduce((sum, event) => sum + (event === 'three others' ? 3 : event === 'the fourth' ? 1 : 0), 0);
    const isRemembered = before.includes('home') && others(before.slice(before.indexOf('home'))) < 4;
    const isUncertain = !isRemembered && others(before) === 4;
    return { counts: order.includes('home') || !isUncertain ? 1 : 0, isUncertain };
  };
  const all = [
    ['message'],
    ['home', 'message'],
    ['home', 'message', 'message'],
    ['message', 'message', 'three others'],
    ['message', 'three others', 'the fourth'],
    ['home', 'message', 'message', 'three others', 'the fourth'],
  ] as const satisfies readonly (readonly Event[])[];

  test.each(all.flatMap((events) => orders(events)).map((order) => [order.join(', '), order] as const))(
    'counts at most once: %s',
    async (_, order) => {
      // The second region's clock may be a minute early or late, and messages come an hour later.
      for (const clock of [-60, 0, 60]) {
        const code = unique('code');
        // The visitor's older clicks change nothing.
        for (let i = 0; i < 4; i += 1) await clicks.record(clickWrite(aClick({ code, at: after(i - 7200) })));
        const visit = aClick({ code, at: after(0) });
        const kept = { write: clickWrite({ ...visit, at: after(clock) }), isSure: false };
        const outcomes: string[] = [];
        let others = 0;
        const other = async (count: number) => {
          for (let i = 0; i < count; i += 1) {
            others += 1;
            await clicks.record(clickWrite(aClick({ code, at: after(others) })));
          }
        };
        for (const event of order) {
          if (event === 'home') await clicks.record(clickWrite(visit));
          else if (event === 'message') outcomes.push(await lateClicks.record(kept, after(3600)));
          else await other(event === 'the fourth' ? 1 : 3);
        }
        const { counts, isUncertain } = expectedOf(order);
        expect([clock, (await hitsOf(code)) - 4 - others, outcomes[0] === 'uncertain']).toEqual([
          clock,
          counts,
          isUncertain,
        ]);
      }
    },
  );
});

/** A visit and its ways: what happens to it in the first region, and whether CloudFront then asks the second one. */
const visit = fc.record({
  visitor: fc.nat(2),
  fault: fc.constantFrom<CallFault | 'away'>('none', 'none', 'throttle', 'lose-answer', 'away'),
  isAnswerLost: fc.boolean(),
  clock: fc.integer({ min: -60, max: 60 }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: visit.map((one) => ({ act: 'visit' as const, ...one })) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('forward' as const),
      most: fc.integer({ min: 1, max: 30 }),
      refusedFrom: fc.nat(4),
      isAnswerLost: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('record' as const), isRepeated: fc.boolean() }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Both regions, and the queues between. */
class Clicks {
  readonly code = unique('code');
  readonly #sent = new Map<number, number>();
  readonly #uncertain = new Map<number, number>();
  #home: SQSRecord[] = [];
  #standby: SQSRecord[] = [];
  #visits = 0;

  #put(to: SQSRecord[], body: string): void {
    to.push({ messageId: unique('message'), body } as SQSRecord);
  }

  async visit({ visitor, fault, isAnswerLost, clock }: Extract<Step, { act: 'visit' }>): Promise<void> {
    this.#visits += 1;
    const at = this.#visits * 10;
    const click = aClick({
      code: this.code,
      visitor: `visitor-${visitor}`,
      clickId: `${this.code}-${at}`,
      at: after(at),
    });
    this.#sent.set(visitor, (this.#sent.get(visitor) ?? 0) + 1);
    const enqueue = (to: SQSRecord[]) => async (late: LateWrite) =>
      this.#put(to, JSON.stringify({ v: 1, ...late }));
    if (fault !== 'away') {
      let calls = 0;
      faulty.fault = () => (calls++ === 0 ? fault : 'none');
      const home = clickStore(openLeanTable(faulty.endpoint, forClicks));
      await recorder({ clicks: home }, enqueue(this.#home))(clickWrite(click));
      faulty.fault = () => 'none';
      if (!isAnswerLost) return;
    }
    await enqueue(this.#standby)({ write: clickWrite({ ...click, at: after(at + clock) }), isSure: false });
  }

  async forward({ most, refusedFrom, isAnswerLost }: Extract<Step, { act: 'forward' }>): Promise<void> {
    const batch = this.#standby.slice(0, most);
    let calls = 0;
    const send = batchSender(
      async ({ input }) => {
        calls += 1;
        if (refusedFrom > 0 && calls >= refusedFrom && !isAnswerLost) throw new AwsError({ name: 'Refused' });
        for (const { MessageBody } of (input as { Entries: { MessageBody: string }[] }).Entries)
          this.#put(this.#home, MessageBody);
        if (refusedFrom > 0 && calls >= refusedFrom) throw new AwsError({ name: 'Refused' });
        return {};
      },
      { policy: forClicks, callsAtOnce: 8 },
    );
    const home = { clickQueueUrl: 'https://sqs.example/clicks', secretArn: 'arn', copiedAt: 1, delay: 0 };
    const { batchItemFailures } = await clickForwarder(
      { standby: { home: async () => home } },
      send,
    )({ Records: batch });
    const waiting = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    this.#standby = this.#standby.filter((one) => !batch.includes(one) || waiting.has(one.messageId));
  }

  async record(isRepeated: boolean): Promise<void> {
    const { record, ...rest } = lateClickStore(openWholeTable(db.endpoint));
    const noted = async (late: LateWrite, now: Date) => {
      const outcome = await record(late, now);
      const visitor = Number(/visitor-(\d)/.exec(late.write.Key.SK)?.[1]);
      if (outcome === 'uncertain') this.#uncertain.set(visitor, (this.#uncertain.get(visitor) ?? 0) + 1);
      return outcome;
    };
    await clickRecorder({ lateClicks: { ...rest, record: noted } })({ Records: this.#home });
    if (!isRepeated) this.#home = [];
  }

  async settle(): Promise<void> {
    while (this.#standby.length > 0)
      await this.forward({ act: 'forward', most: 1000, refusedFrom: 0, isAnswerLost: false });
    await this.record(false);
    for (const [visitor, sent] of this.#sent) {
      const shown = await hitsOf(this.code, `visitor-${visitor}`);
      const uncertain = this.#uncertain.get(visitor) ?? 0;
      expect({ shown, sent, uncertain, isRight: shown <= sent && shown >= sent - uncertain }).toMatchObject({
        isRight: true,
      });
    }
  }
}

const schedules = Number(process.env.FAULT_SCHEDULES ?? runs(15));

test(
  `clicks of both regions count once under ${schedules} schedules of faults`,
  async () => {
    random = jest.spyOn(Math, 'random').mockReturnValue(0);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const both = new Clicks();
        await db.table.put({ Item: linkKey('acme', both.code) });
        for (const one of steps) {
          if (one.act === 'visit') await both.visit(one);
          else if (one.act === 'forward') await both.forward(one);
          else await both.record(one.isRepeated);
        }
        await both.settle();
      }),
      { numRuns: schedules },
    );
  },
  Math.max(60_000, schedules * 3000),
);
