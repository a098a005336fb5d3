import type { DynamoDBStreamEvent } from 'aws-lambda';
import { hourItemKey } from '../../core/analytics/analytics-items.ts';
import { watermarkOf } from '../../core/analytics/watermarks.ts';
import { openStores } from '../../core/stores.ts';
import { linkOfVisitor } from '../../core/table/analytics-keys.ts';
import { engineClient } from '../../local/engine/engine-client.ts';
import { type ReadShard, readEngine } from '../../local/event-source-mapping/shard-records.ts';
import { type StreamRecord, streamRecords } from '../../local/event-source-mapping/stream-record.ts';
import type { Spread } from '../../ops/cost/inputs.ts';
import { type Functions, loadFunctions } from '../expiry/service-in-time.ts';
import { aLinkDraft, aProject, unique } from './builders.ts';
import { type Dice, diceOf } from './dice.ts';
import type { TestTable } from './engine.ts';
import { visitBy } from './function-calls.ts';
import { openWholeTable } from './lean-table.ts';
import { type MeteredEngine, startMeteredEngine } from './metered-engine.ts';

interface Metered {
  readonly reads: number;
  readonly writes: number;
}

/** Table units that clicks took, by consumer, and the number of batches. */
export interface MeteredClicks {
  readonly redirect: Metered;
  readonly aggregator: Metered & { readonly batches: number };
  readonly emitter: Metered & { readonly batches: number };
}

export interface ClicksInTime {
  readonly spread: Spread;
  readonly clicks: number;
  /** Batching windows of the aggregator and of the emitter, in seconds. */
  readonly windows: { readonly batchingSeconds: number; readonly emittingSeconds: number };
  readonly partitions: number;
  readonly shardHours: number;
}

interface Click {
  readonly at: number;
  readonly project: string;
  readonly code: string;
}

/** Runs the functions on one table, with a clock that follows the clicks. Start it once per process. */
export const startClicksInTime = async (db: TestTable) => {
  const meter = await startMeteredEngine(db.endpoint, { withTakedowns: true });
  const functions = await loadFunctions({ ...db, endpoint: meter.endpoint });
  const stream = await streamOf(db);
  jest.useFakeTimers({ doNotFake: everyTimer, now: dawn });
  return {
    meter: (given: ClicksInTime) => new Clicks(given, { db, meter, functions, stream }).run(),
    stop: async () => {
      jest.useRealTimers();
      stream.stop();
      await meter.stop();
    },
  };
};

/** Only the clock is moved. */
const everyTimer = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
const dawn = Date.parse('2030-01-07T00:00:00Z');

interface Running {
  readonly db: TestTable;
  readonly meter: MeteredEngine;
  readonly functions: Functions;
  readonly stream: { readonly take: () => Promise<StreamRecord[]> };
}

const streamOf = async ({ endpoint, streamArn }: TestTable) => {
  const client = engineClient(endpoint);
  const { StreamDescription: described } = await client.call<{
    StreamDescription: { Shards: { ShardId: string }[] };
  }>('DescribeStream', { StreamArn: streamArn });
  const ShardId = described.Shards[0]?.ShardId ?? '';
  const read: ReadShard = readEngine(client, { StreamArn: streamArn, ShardId });
  let after: string | undefined;
  return {
    /** Records written since the last call. */
    take: async (): Promise<StreamRecord[]> => {
      const taken: StreamRecord[] = [];
      for (;;) {
        const { records } = await read(after, 1000);
        after = records.at(-1)?.dynamodb.SequenceNumber ?? after;
        taken.push(...records.map(streamRecords(streamName, ShardId)));
        if (records.length === 0) return taken;
      }
    },
    stop: () => client.close(),
  };
};

/** A reader's batches: each begins with a record, and ends after the batching window or when full. */
class Reader {
  readonly #open = new Map<string, { readonly since: number; readonly records: StreamRecord[] }>();
  readonly #seconds: number;
  readonly #deliver: (shard: string, records: readonly StreamRecord[], at: number) => Promise<void>;
  batches = 0;

  constructor(seconds: number, deliver: Reader['deliver']) {
    this.#seconds = seconds;
    this.#deliver = deliver;
  }

  private deliver(shard: string, records: readonly StreamRecord[], at: number): Promise<void> {
    this.batches += 1;
    return this.#deliver(shard, records, at);
  }

  /** Records of a shard come in order. */
  async take(shard: string, at: number, record: StreamRecord): Promise<void> {
    await this.endUntil(at);
    const open = this.#open.get(shard) ?? { since: at, records: [] };
    this.#open.set(shard, open);
    open.records.push(record);
    if (open.records.length < 1000) return;
    this.#open.delete(shard);
    await this.deliver(shard, open.records, at);
  }

  async endUntil(at: number): Promise<void> {
    for (const [shard, { since, records }] of [...this.#open]) {
      const end = since + this.#seconds * 1000;
      if (end > at) continue;
      this.#open.delete(shard);
      await this.deliver(shard, records, end);
    }
  }
}

const browsers = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0',
];
const countries = [...'ABCDEFGHIJKLMNOPQRST'].map((letter) => `${letter}E`);

class Clicks {
  readonly #given: ClicksInTime;
  readonly #running: Running;
  readonly #dice: Dice = diceOf(1);
  readonly #sums = { redirect: none(), aggregator: none(), emitter: none() };
  readonly #aggregator: Reader;
  readonly #emitter: Reader;
  readonly #partitions = new Map<string, number>();
  #requests = 0;

  constructor(given: ClicksInTime, running: Running) {
    this.#given = given;
    this.#running = running;
    const { batchingSeconds, emittingSeconds } = given.windows;
    const { aggregate, expire } = running.functions;
    const deliverTo = (name: 'aggregator' | 'emitter', handler: Functions['aggregate']) =>
      (async (shardId, Records, at) => {
        jest.setSystemTime(at);
        const event = { Records, shardId } as unknown as DynamoDBStreamEvent;
        expect(await handler(event)).toMatchObject({ batchItemFailures: [] });
        this.#sum(name);
      }) satisfies ConstructorParameters<typeof Reader>[1];
    this.#aggregator = new Reader(batchingSeconds, deliverTo('aggregator', aggregate));
    this.#emitter = new Reader(emittingSeconds, deliverTo('emitter', expire));
  }

  async run(): Promise<MeteredClicks> {
    const clicks = await this.#clicks();
    this.#running.meter.take();
    await this.#running.stream.take();
    for (let first = 0; first < clicks.length; first += chunk) {
      for (const click of clicks.slice(first, first + chunk)) await this.#visit(click);
      this.#sum('redirect');
      await this.#read(await this.#running.stream.take());
    }
    await this.#aggregator.endUntil(Number.POSITIVE_INFINITY);
    await this.#emitter.endUntil(Number.POSITIVE_INFINITY);
    const { redirect, aggregator, emitter } = this.#sums;
    return {
      redirect,
      aggregator: { ...aggregator, batches: this.#aggregator.batches },
      emitter: { ...emitter, batches: this.#emitter.batches },
    };
  }

  /** Random clicks at the spread's rate per hour, on links made for them. */
  async #clicks(): Promise<Click[]> {
    const { spread, clicks } = this.#given;
    const links = await this.#links();
    const meanMs = 3_600_000 / (spread.links * spread.clicksAnHour);
    let at = Date.now();
    return Array.from({ length: clicks }, () => {
      at += -Math.log((1 + this.#dice.below(1e9)) / 1e9) * meanMs;
      return { at: Math.floor(at), ...this.#dice.pick(links) };
    });
  }

  /** Links of a new project. */
  async #links(): Promise<Pick<Click, 'project' | 'code'>[]> {
    const { spread, partitions } = this.#given;
    const stores = openStores(openWholeTable(this.#running.db.endpoint));
    const project = aProject({ id: unique('shop').slice(-12) });
    await stores.projects.create(project);
    const links: Pick<Click, 'project' | 'code'>[] = [];
    for (let link = 0; link < spread.links; link += 1) {
      const code = `a${String(this.#partitions.size).padStart(6, '0')}`;
      await stores.links.create(aLinkDraft({ project: project.id, code, tags: [`tag-0${link % 10}`] }), {
        project,
        generateCode: () => code,
      });
      this.#partitions.set(`${project.id}#${code}`, this.#partitions.size % partitions);
      links.push({ project: project.id, code });
    }
    return links;
  }

  async #visit({ at, project, code }: Click): Promise<void> {
    this.#requests += 1;
    jest.setSystemTime(at);
    const dice = this.#dice;
    // Seven clicks of ten are of new visitors.
    const address = dice.below(10) < 7 ? this.#requests : dice.below(100);
    const referrer = `https://referrer-${dice.below(10)}.example/`;
    const shared = dice.once(2) ? 'qr&' : '';
    const answer = await visitBy(this.#running.functions.redirect, `/${project}/${code}`, {
      query: `${shared}utm_campaign=launch-${dice.below(5)}&utm_source=source-${dice.below(4)}`,
      headers: {
        'user-agent': dice.pick(browsers),
        referer: referrer,
        'x-forwarded-host': 'go.example.com',
        'cloudfront-viewer-address': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}:4711`,
        'cloudfront-viewer-country': dice.pick(countries),
        'x-amz-cf-id': `visit-${this.#requests}`,
      },
      now: new Date(at),
    });
    if (answer.statusCode !== 302) throw new Error(`${answer.statusCode} ${answer.body}`);
  }

  /** Passes click records to both readers, as if the stream had received them at their times. */
  async #read(records: readonly StreamRecord[]): Promise<void> {
    for (const record of records) {
      const link = linkOfVisitor(String(record.dynamodb.Keys.PK?.S));
      if (!link) continue;
      const { seen, ms } = (record.dynamodb.NewImage?.visit?.M ?? {}) as Record<string, { N: string }>;
      const at = Number(seen?.N) * 1000 + Number(ms?.N);
      const made = {
        ...record,
        eventID: record.eventID,
        dynamodb: {
          ...record.dynamodb,
          ApproximateCreationDateTime: Math.floor(at / 1000),
          SequenceNumber: String(firstPosition + BigInt(record.dynamodb.SequenceNumber)),
        },
      };
      const generation = Math.floor(at / 3_600_000 / this.#given.shardHours);
      const shard = shardOf(generation, this.#partitions.get(`${link.project}#${link.code}`) ?? 0);
      await this.#aggregator.take(shard, at, made);
      await this.#emitter.take(shard, at, made);
    }
  }

  #sum(name: 'redirect' | 'aggregator' | 'emitter'): void {
    for (const { reads, writes } of this.#running.meter.take()) {
      this.#sums[name].reads += reads;
      this.#sums[name].writes += writes;
    }
  }
}

/** A sequence number as long as DynamoDB's. */
const firstPosition = 10n ** 27n;

/**
 * A shard of a partition of the table. Shards fall on the items of an hour by their names: here two of four on the same
 * item, which is a little more than by chance.
 */
const shardOf = (generation: number, partition: number): string => {
  for (let attempt = 0; ; attempt += 1) {
    const shard = `shard-${generation}-${partition}-${attempt}`;
    const { SK } = hourItemKey({ project: '' }, 0, watermarkOf(`${streamName}/${shard}`));
    if (SK.endsWith(`#${Math.max(0, partition - 1)}`)) return shard;
  }
};

const chunk = 500;
const streamName = 'stream';
const none = () => ({ reads: 0, writes: 0 });
