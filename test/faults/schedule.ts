import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { analyticsOf, groupPrefixes } from '../../core/analytics/analytics.ts';
import type { analyticsStore } from '../../core/analytics/analytics-store.ts';
import type { DaysTable } from '../../core/analytics/closed-days.ts';
import type { Span } from '../../core/analytics/time-range.ts';
import { type TimeseriesPoint, timeseriesStore } from '../../core/analytics/timeseries-store.ts';
import { hourMs } from '../../core/base/durations.ts';
import { analyticsKey, visitorKey } from '../../core/table/analytics-keys.ts';
import type { Table } from '../../core/table/table.ts';
import { clickStore, clickWrite, openWrite } from '../../core/visits/click-store.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import type { TableResource } from '../../local/assembly/assembly.ts';
import { engineClient } from '../../local/engine/engine-client.ts';
import type { InjectedFaults, StreamEvent } from '../../local/event-source-mapping/context.ts';
import { type RunningMapping, startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import type { InvocationResult } from '../../local/lambda/runtime.ts';
import { ensureTables } from '../../local/tables/tables.ts';
import type { FaultyEngine } from '../../local/testing/faulty-engine.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { openLeanTable, openWholeTable } from '../support/lean-table.ts';
import { mortal } from '../support/mortal-table.ts';
import { aggregation } from '../support/stream-mappings.ts';
import { ofLink, ofProject, type Series, Visitors } from '../support/visitors.ts';
import { Bounds } from './bounds.ts';

export interface World {
  /** The engine itself. */
  readonly endpoint: string;
  readonly faulty: FaultyEngine;
  readonly resource: TableResource;
  /** Adds the records of an event; the service's code unless a test breaks it. */
  readonly analytics: typeof analyticsStore;
}

const project = 'acme';

/** Runs the service under faults chosen by the seed. Rejects if any count is ever wrong. */
export const runSchedule = async (seed: number, world: World): Promise<void> => {
  const schedule = new Schedule(seed, world);
  await schedule.open();
  try {
    await schedule.run();
  } finally {
    await schedule.close();
  }
};

class Schedule {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #resource: TableResource;
  readonly #engine;
  readonly #table: Table;
  readonly #faultyTable: DaysTable;
  readonly #clicks: ReturnType<typeof clickStore>;
  readonly #links: Visitors[];
  readonly #bounds = new Bounds();
  readonly #boundsOfDays = new Bounds();
  /** How much later than the last click functions and readers live. */
  readonly #leadMs: number;
  #now = 0;
  /** How much later readers live than functions. */
  #readMs = 0;
  readonly #mappings: RunningMapping[] = [];
  readonly #shards = new Map<string, string>();
  #generation = 0;
  #streamArn = '';
  #isOver = false;

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#dice = diceOf(seed);
    const name = `faults-${seed}`;
    // Only hours, days that are summed late, days that are closed at once or many at a time.
    this.#leadMs = hourMs * this.#dice.pick([0, 1, 3, 30, 300]);
    this.#resource = {
      ...world.resource,
      name,
      properties: { ...world.resource.properties, TableName: name },
    };
    this.#engine = engineClient(world.endpoint);
    this.#table = openWholeTable(world.endpoint, { name });
    this.#faultyTable = openLeanTable(world.faulty.endpoint, { name });
    this.#clicks = clickStore(this.#faultyTable);
    this.#links = Array.from(
      { length: 1 + this.#dice.below(4) },
      (_, i) => new Visitors({ project, code: `link-${i}` }, this.#dice),
    );
  }

  async open(): Promise<void> {
    const streams = await ensureTables(this.#world.endpoint, [this.#resource]);
    this.#streamArn = streams.get(this.#resource.id) ?? '';
    const throttles = this.#dice.pick([0, 0, 12, 4]);
    const losses = this.#dice.pick([0, 12, 4]);
    this.#world.faulty.fault = () => {
      if (throttles > 0 && this.#dice.once(throttles)) return 'throttle';
      return losses > 0 && this.#dice.once(losses) ? 'lose-answer' : 'none';
    };
  }

  async run(): Promise<void> {
    const reading = this.#readAlong();
    this.#startMapping();
    await this.#writeClicks();
    this.#world.faulty.fault = () => 'none';
    await Promise.all(this.#mappings.map((mapping) => mapping.idle()));
    this.#isOver = true;
    await reading;
    await this.#verify('in the end');
    if (this.#dice.once(2)) return;
    await this.#deliverEverythingAgain();
    await this.#verify('after everything was delivered again');
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#mappings.map((mapping) => mapping.stop()));
    await this.#engine.call('DeleteTable', { TableName: this.#resource.name });
    this.#engine.close();
  }

  /** Clicks in bursts; in between, sweeps, a second poller of the same shard, a new generation of shards. */
  async #writeClicks(): Promise<void> {
    const clicks = 3 + this.#dice.below(16);
    for (let done = 0; done < clicks; ) {
      const burst = Math.min(clicks - done, 1 + this.#dice.below(8));
      await Promise.all(Array.from({ length: burst }, () => this.#click()));
      done += burst;
      if (this.#dice.once(6)) this.#generation += 1;
      if (this.#dice.once(8) && this.#mappings.length < 3) this.#startMapping();
      if (this.#dice.once(5)) await delay(this.#dice.below(8));
    }
  }

  /** Times of the first delivery, by sequence number. */
  readonly #uncounted = new Map<string, number>();
  readonly #counted = new Set<string>();
  #busy = new Map<string, Promise<void>>();

  /** Clicks of one visitor come one after the other, so that it is certain which of them is the first. */
  async #click(): Promise<void> {
    const visitors = this.#dice.pick(this.#links);
    if (this.#dice.once(5)) return this.#openApp(visitors);
    const click = visitors.next();
    this.#passes(click.at);
    const who = `${click.code} ${click.visitor}`;
    const before = this.#busy.get(who);
    const repeats = this.#dice.once(5) ? 2 : 1;
    const sweeps = this.#dice.once(2);
    this.#bounds.attempt(click.code);
    this.#boundsOfDays.attempt(click.code);
    const write = async () => {
      await before;
      if (sweeps) await this.#sweep(click.visitor, click.code, click.at.getTime() / 1000);
      for (let written = 0; written < repeats; ) {
        // Without a response the edge and the redirect's client repeat the call.
        const done = await this.#clicks.record(clickWrite(click)).then(
          () => true,
          () => false,
        );
        if (done) written += 1;
      }
    };
    const writing = write();
    this.#busy.set(who, writing);
    await writing;
  }

  #passes(at: Date): void {
    this.#now = Math.max(this.#now, at.getTime());
  }

  #clock(): Date {
    return new Date(this.#now + this.#leadMs);
  }

  /** When the oldest record was first delivered that isn't counted yet: failures are over within the hour that readers allow. */
  #readersClock(): Date {
    return new Date(Math.min(this.#clock().getTime(), ...this.#uncounted.values()) + this.#readMs);
  }

  /** Opens of one visitor also follow each other: a retry is recognised among the visitor's last four. */
  async #openApp(visitors: Visitors): Promise<void> {
    const open = visitors.nextOpen();
    this.#passes(open.at);
    const who = `${open.code} opens ${open.visitor}`;
    const before = this.#busy.get(who);
    const repeats = this.#dice.once(3) ? 2 : 1;
    const write = async () => {
      await before;
      for (let left = repeats; left > 0; ) {
        const done = await this.#clicks.record(openWrite(open)).then(
          () => true,
          () => false,
        );
        if (done) left -= 1;
      }
    };
    const writing = write();
    this.#busy.set(who, writing);
    await writing;
  }

  /** Removes the visitor if it has expired, as TTL may. */
  async #sweep(visitor: string, code: string, now: number): Promise<void> {
    const { PK, SK } = visitorKey(project, code, visitor);
    await this.#engine
      .call('DeleteItem', {
        TableName: this.#resource.name,
        Key: { PK: { S: PK }, SK: { S: SK } },
        ConditionExpression: '#ttl < :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': { N: String(now) } },
      })
      .catch(() => undefined);
  }

  #startMapping(faults: InjectedFaults = this.#faults()): RunningMapping {
    const mapping = startEventSourceMapping({
      mapping: aggregation,
      table: this.#resource,
      streamArn: this.#streamArn,
      endpoint: this.#world.endpoint,
      pollMs: 3,
      retryMs: 0,
      faults,
      invoke: (event) => this.#invoke(event),
    });
    this.#mappings.push(mapping);
    return mapping;
  }

  #faults(): InjectedFaults {
    const dice = this.#dice;
    let rewinds = dice.below(4);
    const [cuts, losses] = [dice.once(2), dice.pick([0, 8, 3])];
    return {
      ...(cuts && { cut: (available) => 1 + dice.below(available) }),
      loseAnswer: () => losses > 0 && !this.#isOver && dice.once(losses),
      rewind: (passed) => {
        if (passed.length === 0 || rewinds === 0 || !dice.once(4)) return undefined;
        rewinds -= 1;
        return dice.pick(passed);
      },
      shardOf: ({ dynamodb }) => this.#shardOf(dynamodb.SequenceNumber, dynamodb.Keys.SK?.S),
    };
  }

  /**
   * A visitor is in one shard of each generation, and a link in several, as if it had groups of visitors. Remembered, because
   * a record stays in its shard.
   */
  #shardOf(number: string, key: unknown): string {
    const known = this.#shards.get(number);
    if (known) return known;
    const shard = `shard-${this.#generation}-${String(key).at(-1)}`;
    this.#shards.set(number, shard);
    return shard;
  }

  /** Runs the function, which may die at any of its calls. */
  async #invoke(event: StreamEvent): Promise<InvocationResult> {
    const dies = !this.#isOver && this.#dice.once(5) ? this.#dice.below(40) : Number.POSITIVE_INFINITY;
    const { table: doomed, death } = mortal(this.#faultyTable, dies);
    const records = event.Records as unknown as DynamoDBRecord[];
    for (const number of numbersOf(records))
      if (!this.#counted.has(number) && !this.#uncounted.has(number))
        this.#uncounted.set(number, this.#clock().getTime());
    const answer = await Promise.race([
      death,
      aggregator({ stores: { analytics: this.#world.analytics(doomed, { clock: () => this.#clock() }) } })({
        Records: records,
        ...(event.shardId && { shardId: event.shardId }),
      }),
    ]);
    if (answer === 'died') return { ok: false, errorType: 'Killed', errorMessage: 'The function was killed' };
    const [failed] = answer.batchItemFailures;
    const from = records.findIndex(
      ({ dynamodb }) => failed && dynamodb?.SequenceNumber === failed.itemIdentifier,
    );
    const accepted = from < 0 ? records : records.slice(0, from);
    this.#bounds.accept(accepted);
    this.#boundsOfDays.accept(accepted);
    for (const number of numbersOf(accepted)) {
      this.#counted.add(number);
      this.#uncounted.delete(number);
    }
    return { ok: true, payload: answer };
  }

  /** Keeps reading one link after another. */
  async #readAlong(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const code = `link-${turn % this.#links.length}`;
      await this.#bounds.check(code, async () => (await this.#analytics(code)).clicks);
      await this.#boundsOfDays.check(code, () => this.#clicksOfDays(code));
      await delay(8);
    }
  }

  async #analytics(code: string) {
    return analyticsOf(await this.#table.get(analyticsKey({ project, code })));
  }

  async #verify(when: string): Promise<void> {
    for (const visitors of this.#links) {
      const { link, truth } = visitors;
      const analytics = await this.#analytics(link.code);
      const [shown, wanted] = [canonical(analytics), canonical(truth)];
      if (shown !== wanted) throw new Error(`${when}, ${link.code} shows ${shown} and not ${wanted}`);
      await this.#verifySeries(when, link.code, ofLink(visitors));
    }
    await this.#verifySeries(when, undefined, ofProject(this.#links));
    if (this.#readMs > 0) return;
    // Readers take over days that were closed just now an hour later.
    this.#readMs = 2 * hourMs;
    await this.#verify(`${when}, hours later`);
    this.#readMs = 0;
  }

  /** Compares every day and hour of a link, or of the project, with its events. */
  async #verifySeries(when: string, code: string | undefined, truth: Series): Promise<void> {
    const series = await this.#series(code);
    const [shown, wanted] = [series, truth].map((one) =>
      JSON.stringify([...one].sort().map(([span, counts]) => [span, Object.entries(counts).sort()])),
    );
    if (shown !== wanted)
      throw new Error(`${when}, ${code ?? 'the project'} shows ${shown} and not ${wanted}`);
  }

  /** As readers see them, whatever is closed by then. */
  async #series(code: string | undefined): Promise<Series> {
    const series: Series = new Map();
    for (const unit of ['day', 'dayByLink', 'hour'] as const) {
      for (const analytics of await this.#find(code, unit)) {
        const time = new Date(analytics.start).toISOString();
        const name = unit === 'hour' ? `H#${time.slice(0, 13)}` : `D#${time.slice(0, 10)}`;
        series.set(name, { ...series.get(name), ...countsOf(analytics) });
      }
    }
    return series;
  }

  #find(code: string | undefined, unit: Span['unit']): Promise<TimeseriesPoint[]> {
    return timeseriesStore(this.#table).find(
      { project, code },
      [{ unit, start: 0, end: Date.UTC(2100) }],
      this.#readersClock(),
    );
  }

  async #clicksOfDays(code: string): Promise<number> {
    const days = await this.#find(code, 'day');
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  }

  /** Like a new mapping. */
  async #deliverEverythingAgain(): Promise<void> {
    const { shardOf } = this.#faults();
    await this.#startMapping(shardOf && { shardOf }).idle();
  }
}

const numbersOf = (records: readonly DynamoDBRecord[]): string[] =>
  records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');

/** Under the names of the table's attributes; nothing with 0. */
const countsOf = ({ clicks, uniqueClicks, opens, firstOpens, groups }: TimeseriesPoint) => {
  const counts = Object.entries({ n: clicks, u: uniqueClicks, e: opens, f: firstOpens });
  for (const [group, prefix] of Object.entries(groupPrefixes))
    for (const [name, count] of Object.entries(groups(group as keyof typeof groupPrefixes)))
      counts.push([prefix + name, count]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

const canonical = ({
  clicks,
  uniques,
  platforms,
  countries,
}: Visitors['truth'] | ReturnType<typeof analyticsOf>) => {
  const sorted = (counts: Readonly<Record<string, number>>) => Object.entries(counts).sort();
  return JSON.stringify([clicks, uniques, sorted(platforms), sorted(countries)]);
};
