import type { SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { copyQueue } from '../../core/standby/copy-queue.ts';
import { copiesStore, itemCopier } from '../../core/standby/copy-store.ts';
import { openStores } from '../../core/stores.ts';
import { connect, serviceAccess } from '../../core/table/connection.ts';
import { isCopied } from '../../core/table/copied-kinds.ts';
import { AwsError } from '../../core/table/errors.ts';
import { openItems, type Transport } from '../../core/table/items.ts';
import { homeKey, type Key, linkKey } from '../../core/table/keys.ts';
import { forBackground } from '../../core/table/retry-policy.ts';
import { copyItems, withoutOverlap } from '../../lambdas/queues/copy-items.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { ensureTables } from '../../local/tables/tables.ts';
import { fileTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { runs } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { tablesAt } from '../support/second-table.ts';
import { tableProperties } from '../support/table-properties.ts';

const schedules = Number(process.env.FAULT_SCHEDULES ?? runs(20));

const db = fileTable();
const copyName = 'copy-under-test';
ofFile(async () => {
  const { AttributeDefinitions, KeySchema } = tableProperties as {
    AttributeDefinitions: { AttributeName: string }[];
  } & Record<string, unknown>;
  const keys = AttributeDefinitions.filter(({ AttributeName }) => ['PK', 'SK'].includes(AttributeName));
  const properties = {
    TableName: copyName,
    AttributeDefinitions: keys,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
  };
  await ensureTables(db.endpoint, [
    { id: 'Copy', name: copyName, arn: 'arn:aws:dynamodb:us-east-1:0:table/copy', properties },
  ]);
  return {};
});
const all = ofFile(() => tablesAt(db.endpoint));
ofFile(captureFunctionLog);
let random: jest.SpyInstance | undefined;
afterEach(() => random?.mockRestore());

/** Keys of each kind that visitors read, and of others. */
const keys: readonly Key[] = [
  linkKey('acme', 'one'),
  linkKey('acme', 'two'),
  { PK: 'PROJECT#acme', SK: 'PROJECT' },
  { PK: 'PROJECT#acme', SK: 'APP#1' },
  { PK: 'PROJECT#acme', SK: 'QRSTYLE' },
  { PK: 'DOMAIN#go.example.com', SK: 'DOMAIN' },
  { PK: 'ASSOCIATIONS', SK: 'acme' },
  { PK: 'SUSPENDED', SK: 'acme' },
  { PK: 'DENIED', SK: 'example.com' },
  homeKey,
  { PK: 'PROJECT#acme', SK: 'APPS' },
  { PK: 'LINK#acme#one', SK: 'EXPIRY' },
  { PK: 'KEY#1', SK: 'KEY' },
  { PK: 'MEMBERS#acme', SK: 'ann' },
  { PK: 'VISITOR#acme#one#1', SK: 'CLICKS#hash' },
];

type SendFault = 'none' | 'refuse' | 'part' | 'lose-answer';
type CopyFault = 'none' | 'throttle' | 'lose-answer' | 'late' | 'die' | 'away';

interface Change {
  readonly key: number;
  readonly isRemoval: boolean;
}

type Step =
  | ({ readonly act: 'change' } & Change)
  | { readonly act: 'emit'; readonly shard: number; readonly records: number; readonly fault: SendFault }
  | {
      readonly act: 'copy';
      readonly groups: number;
      readonly fault: CopyFault;
      /** Changes between the copier's reads and writes. */
      readonly meanwhile: readonly Change[];
      /** Whether a batch that was done is delivered again. */
      readonly again: boolean;
    }
  | { readonly act: 'away'; readonly isAway: boolean };

// Some keys change often.
const change = fc.record({
  key: fc.oneof(fc.nat(2), fc.nat(keys.length - 1)),
  isRemoval: fc.nat(2).map((one) => one === 0),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: change.map((one) => ({ act: 'change' as const, ...one })) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('emit' as const),
      shard: fc.nat(1),
      records: fc.integer({ min: 1, max: 5 }),
      fault: fc.constantFrom<SendFault>('none', 'none', 'none', 'refuse', 'part', 'lose-answer'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('copy' as const),
      groups: fc.nat(0xffff),
      fault: fc.constantFrom<CopyFault>('none', 'throttle', 'lose-answer', 'late', 'die'),
      meanwhile: fc.array(change, { maxLength: 2 }),
      again: fc.nat(3).map((one) => one === 0),
    }),
  },
  { weight: 1, arbitrary: fc.boolean().map((isAway) => ({ act: 'away' as const, isAway })) },
);

interface Waiting extends SQSRecord {
  readonly group: string;
  received: number;
}

/** Home's table and stream, the FIFO queue between, and the second region's table. */
class Regions {
  readonly #home = openWholeTable(db.endpoint);
  readonly #transport = connect(
    serviceAccess({ AWS_ENDPOINT_URL: db.endpoint, AWS_ACCESS_KEY_ID: 'test' }, 'dynamodb'),
  );
  /** Two shards, which keep the order of a partition key's changes. */
  readonly #shards: StreamRecord[][] = [[], []];
  /** Ids of messages by group; SQS forgets them after five minutes. */
  readonly #known = new Set<string>();
  #messages: Waiting[] = [];
  /** Writes that are carried out although their caller gave up. */
  #late: (() => Promise<unknown>)[] = [];
  #isAway = false;
  #changes = 0;
  /** The newest version that the copy has had of each key. */
  readonly #seen = new Map<string, number>();

  async change({ key: index, isRemoval }: Change): Promise<void> {
    const key = keys[index] as Key;
    this.#changes += 1;
    const version = this.#changes;
    if (isRemoval) await this.#home.delete({ Key: key });
    else
      await this.#home.put({
        Item: { ...key, version, beatAt: version, tags: new Set(['a']), nested: { no: null } },
      });
    const record = {
      eventID: `event-${version}`,
      // The emitter's other work needs images, which these records don't have.
      eventName: 'REMOVE',
      dynamodb: { Keys: { PK: { S: key.PK }, SK: { S: key.SK } }, SequenceNumber: String(version) },
    };
    this.#shards[key.PK.length % 2]?.push(record);
  }

  /** One batch of a shard. What the emitter reports is read again. */
  async emit(shard: number, count: number, fault: SendFault): Promise<void> {
    const waiting = this.#shards[shard] ?? [];
    const batch = waiting.slice(0, count);
    if (batch.length === 0) return;
    const handle = eventEmitter({
      stores: openStores(this.#home),
      wake: async () => undefined,
      shortBase: 'https://go.example',
      historyDays: 400,
      sendKeys: copyQueue(this.#sqs(fault), 'https://sqs.example/keys.fifo'),
    });
    const { batchItemFailures } = await handle({ Records: batch });
    const [first] = batchItemFailures;
    const failed = batch.findIndex((one) => one.dynamodb?.SequenceNumber === first?.itemIdentifier);
    this.#shards[shard] = waiting.slice(failed < 0 ? batch.length : failed);
  }

  #sqs(fault: SendFault): Transport<string> {
    return async ({ input }) => {
      const { Entries } = input as {
        Entries: {
          Id: string;
          MessageBody: string;
          MessageGroupId: string;
          MessageDeduplicationId: string;
        }[];
      };
      if (fault === 'refuse') throw new AwsError({ name: 'ServiceUnavailable', status: 400 });
      const taken = fault === 'part' ? Entries.slice(1) : Entries;
      for (const { MessageBody: body, MessageGroupId: group, MessageDeduplicationId: id } of taken) {
        if (this.#known.has(group + id)) continue;
        this.#known.add(group + id);
        this.#messages.push({ messageId: `${group}-${id}`, body, group, received: 0 } as Waiting);
      }
      // With a status that isn't retried, so that the batch is read again.
      if (fault === 'lose-answer') throw new AwsError({ name: 'Lost', status: 400 });
      return fault === 'part' ? { Failed: [{ Id: '0' }] } : {};
    };
  }

  /** The first messages of some groups, of which the others wait. */
  #receive(groups: number): Waiting[] {
    const names = [...new Set(this.#messages.map(({ group }) => group))].filter(
      (_, i) => (groups >> (i % 16)) & 1,
    );
    return names
      .flatMap((name) => this.#messages.filter(({ group }) => group === name).slice(0, 3))
      .slice(0, 10);
  }

  async copy({ groups, fault, meanwhile, again }: Extract<Step, { act: 'copy' }>): Promise<void> {
    const batch = this.#receive(groups);
    if (batch.length === 0) return;
    // A message comes again after minutes, when no earlier write is under way.
    if (batch.some(({ received }) => received > 0)) await this.#carryOut();
    for (const message of batch) message.received += 1;
    const copies = copiesStore(this.#home);
    const changes = [...meanwhile];
    const interrupted = {
      item: async (key: Key) => {
        const item = await copies.item(key);
        for (const one of changes.splice(0)) await this.change(one);
        return item;
      },
    };
    const answered = this.#copier(interrupted, fault)({ Records: batch });
    const answer = await Promise.race([answered, this.#death]);
    await this.#noOlder();
    if (answer === 'died' || again) return;
    const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    this.#messages = this.#messages.filter((one) => !batch.includes(one) || failed.has(one.messageId));
  }

  #death: Promise<'died'> = new Promise(() => undefined);

  #copier(copies: Parameters<typeof itemCopier>[0], fault: CopyFault) {
    const { promise, resolve: die } = Promise.withResolvers<'died'>();
    this.#death = promise;
    let left = 1;
    const faulty: Transport = async (sent) => {
      if (this.#isAway) throw new AwsError({ name: 'ConnectionLost' });
      left -= 1;
      if (left !== 0 || fault === 'none') return this.#transport(sent);
      if (fault === 'throttle') throw new AwsError({ name: 'ThrottlingException' });
      if (fault === 'die') {
        die('died');
        return new Promise(() => undefined);
      }
      if (fault === 'late') this.#late.push(() => this.#transport(sent));
      else await this.#transport(sent);
      throw new AwsError({ name: 'TimeoutError' });
    };
    const policy = { ...forBackground, attempts: 3, firstPauseMs: 0, longestPauseMs: 0 };
    const copy = openItems(withoutOverlap(faulty), { name: copyName, policy });
    const home = { clickQueueUrl: 'https://sqs.example/clicks', secretArn: 'arn' };
    return copyItems({ beat: async () => undefined }, itemCopier(copies, copy, home));
  }

  async #carryOut(): Promise<void> {
    for (const write of this.#late.splice(0)) await write();
  }

  setAway(isAway: boolean): void {
    this.#isAway = isAway;
  }

  /** Items of the copy by key, and home's that it should have. */
  async #items() {
    const read = async (table: string) =>
      new Map((await all.itemsOf(table)).map((item) => [`${item.PK?.S} ${item.SK?.S}`, item] as const));
    return { home: await read(db.resource.name), copy: await read(copyName) };
  }

  /** Throws if the copy has an older version of an item than before. */
  async #noOlder(): Promise<void> {
    for (const [name, item] of (await this.#items()).copy) {
      const version = Number(item.version?.N ?? 0);
      expect([name, version]).toEqual([name, Math.max(version, this.#seen.get(name) ?? 0)]);
      this.#seen.set(name, version);
    }
  }

  /** Both regions work, and all that waits is done. */
  async settle(): Promise<void> {
    this.setAway(false);
    const quiet = { act: 'copy', groups: 0xffff, fault: 'none', meanwhile: [], again: false } as const;
    for (
      let i = 0;
      i < 200 && (this.#messages.length > 0 || this.#shards.some(({ length }) => length > 0));
      i += 1
    ) {
      for (const shard of [0, 1]) await this.emit(shard, 5, 'none');
      await this.copy(quiet);
    }
    await this.#carryOut();
    const { home, copy } = await this.#items();
    const beat = `${homeKey.PK} ${homeKey.SK}`;
    const expected = [...home].filter(([, { PK, SK }]) => isCopied({ PK: PK?.S ?? '', SK: SK?.S ?? '' }));
    expect(new Map([...copy].filter(([name]) => name !== beat))).toEqual(new Map(expected));
  }

  async clear(): Promise<void> {
    for (const table of [db.resource.name, copyName]) await all.remove(table);
  }
}

test(
  `under ${schedules} schedules of faults, the copy ends equal to the first region, and never goes back`,
  async () => {
    // Retries without pauses.
    random = jest.spyOn(Math, 'random').mockReturnValue(0);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const regions = new Regions();
        await regions.clear();
        for (const one of steps) {
          if (one.act === 'change') await regions.change(one);
          else if (one.act === 'emit') await regions.emit(one.shard, one.records, one.fault);
          else if (one.act === 'copy') await regions.copy(one);
          else regions.setAway(one.isAway);
        }
        await regions.settle();
      }),
      { numRuns: schedules },
    );
  },
  Math.max(60_000, schedules * 3000),
);
