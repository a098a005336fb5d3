import { setTimeout as delay } from 'node:timers/promises';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { openStores } from '../../core/stores.ts';
import { connect, serviceAccess } from '../../core/table/connection.ts';
import { forBackground } from '../../core/table/retry-policy.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { messageOf, type Wake } from '../../core/webhooks/wake.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { eventSender } from '../../lambdas/queues/send-events.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { aLinkDraft, aProject, aWebhook, unique } from '../support/builders.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { fileTable, tableName } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { mortal } from '../support/mortal-transport.ts';
import { ofFile } from '../support/of-file.ts';
import { recordStream } from '../support/stream-records.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const stream = ofFile(() => recordStream(db));
ofFile(captureFunctionLog);

interface Message {
  readonly id: string;
  readonly body: string;
}

/** Reader, queue and sender of one project under faults that the seed chooses. */
class Schedule {
  readonly #dice: Dice;
  readonly #project = aProject();
  readonly #webhooks: Webhook[] = [];
  readonly #received = new Map<string, { id: string; body: string }[]>();
  #queue: Message[] = [];
  #messages = 0;

  constructor(seed: number) {
    this.#dice = diceOf(seed);
  }

  async run(): Promise<void> {
    const stores = openStores(db.table);
    await stores.projects.create(this.#project);
    for (let i = this.#dice.below(6); i >= 0; i -= 1) await this.#addWebhook(stores);
    await stream.take();
    const codes = Array.from({ length: 12 + this.#dice.below(30) }, () => unique('code'));
    for (const code of codes)
      await stores.links.create(aLinkDraft({ project: this.#project.id, code }), {
        project: this.#project,
        generateCode: () => '',
      });
    // No event, so that webhooks get only creations; a history has it.
    for (const code of codes.slice(0, 10))
      await stores.links.setStatus(this.#project.id, code, 'PAUSED', { now: new Date(), isQuiet: true });
    const [throttles, losses] = [this.#dice.pick([0, 15, 5]), this.#dice.pick([0, 15, 5])];
    faulty.fault = () => {
      if (throttles > 0 && this.#dice.once(throttles)) return 'throttle';
      return losses > 0 && this.#dice.once(losses) ? 'lose-answer' : 'none';
    };
    const telling = this.#tellAll(await stream.take());
    await this.#sendAll(Promise.all([telling, this.#operate(stores)]));
    faulty.fault = () => 'none';
    await this.#verify(stores, codes);
  }

  async #addWebhook({ webhooks }: ReturnType<typeof openStores>): Promise<void> {
    const webhook = aWebhook({ project: this.#project.id });
    this.#webhooks.push(webhook);
    await webhooks.create({ ...webhook, url: `${webhook.url}${webhook.id}` });
  }

  /** As Lambda delivers: from the record that failed on, cut anywhere, and now and then something once more. */
  async #tellAll(records: readonly StreamRecord[]): Promise<void> {
    for (let at = 0; at < records.length; ) {
      const batch = records.slice(at, at + 1 + this.#dice.below(20));
      const answer = await this.#invoke((stores) =>
        eventEmitter({ stores, wake: this.#wake, shortBase: 'https://go.example', historyDays: 400 })({
          Records: batch,
        }),
      );
      if (answer === 'died') continue;
      const [{ itemIdentifier } = {}] = answer.batchItemFailures;
      const failed = batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier);
      at += failed < 0 ? batch.length : failed;
      if (this.#dice.once(10)) at = Math.max(0, at - this.#dice.below(10));
    }
  }

  /** Operators pause, rotate and suspend, and take all of it back; nothing happens meanwhile that would be no event. */
  async #operate({ projects, webhooks, webhookStates }: ReturnType<typeof openStores>): Promise<void> {
    const { id: project } = this.#project;
    for (let acts = this.#dice.below(4); acts > 0; acts -= 1) {
      await delay(this.#dice.below(60));
      const { id } = this.#dice.pick(this.#webhooks) as Webhook;
      const known = await webhooks.find(project, id);
      if (!known) throw new Error(`There is no webhook ${id}`);
      const act = this.#dice.pick(['pause', 'suspend', 'rotate']);
      if (act === 'rotate') {
        const { generation, ...webhook } = known.webhook;
        await webhooks.change({ ...webhook, generation: generation + 1 });
        continue;
      }
      if (act === 'pause') await webhookStates.stop({ project, id }, { status: 'PAUSED', now: new Date() });
      else await projects.suspend(project, new Date());
      await delay(this.#dice.below(60));
      if (act === 'pause') await webhookStates.activate(known.webhook, new Date());
      else await projects.resume(project, new Date());
      for (const webhook of this.#webhooks) await this.#persist({ project, webhook: webhook.id });
    }
  }

  async #persist(wake: Wake): Promise<void> {
    while (
      !(await this.#wake(wake).then(
        () => true,
        () => false,
      ))
    );
  }

  async #sendAll(telling: Promise<unknown>): Promise<void> {
    let isTold = false;
    const emitted = telling.finally(() => {
      isTold = true;
    });
    const workers = Array.from({ length: 3 }, async () => {
      while (!isTold || this.#queue.length > 0 || this.#busy > 0) {
        const message = this.#queue.splice(this.#dice.below(this.#queue.length || 1), 1)[0];
        if (message) await this.#deliver(message);
        else await delay(2);
      }
    });
    await Promise.all([emitted, ...workers]);
  }

  #busy = 0;

  async #deliver({ id, body }: Message): Promise<void> {
    this.#busy += 1;
    const Records = [{ messageId: id, body }] as Parameters<ReturnType<typeof eventSender>>[0]['Records'];
    const answer = await this.#invoke((stores) => this.#sender(stores)({ Records })).catch(() => 'died');
    // A failed message comes again, a handled one now and then.
    if (answer === 'died' || this.#dice.once(15)) this.#queue.push({ id, body });
    this.#busy -= 1;
  }

  #sender(stores: ReturnType<typeof openStores>) {
    return eventSender({
      stores,
      wake: this.#wake,
      secret: 'secret',
      version: '0',
      put: () => Promise.reject(new Error('There is no bus')),
      turnMs: this.#dice.pick([5, 200, 20_000]),
      pageSize: this.#dice.pick([1, 7, 100]),
      open: () => ({ post: (posting) => this.#receive(posting.url, posting), close: () => undefined }),
    });
  }

  #wake = async (wake: Wake, delaySeconds = 0): Promise<void> => {
    if (this.#dice.once(12)) throw new Error('SQS is out of reach');
    expect(delaySeconds).toBe(0);
    this.#messages += 1;
    this.#queue.push({ id: `message-${this.#messages}`, body: messageOf(wake) });
  };

  async #receive(
    url: string,
    { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  ) {
    const known = this.#received.get(url) ?? [];
    this.#received.set(url, [...known, { id: headers['webhook-id'] ?? '', body }]);
    await delay(this.#dice.below(4));
    return { status: 200, ms: 1 };
  }

  async #invoke<Answer>(
    run: (stores: ReturnType<typeof openStores>) => Promise<Answer>,
  ): Promise<Answer | 'died'> {
    const { send, death } = mortal(connection(), this.#dice.once(3) ? 1 + this.#dice.below(40) : 1e9);
    const table = openTable(send, { name: tableName, policy: { ...forBackground, longestPauseMs: 5 } });
    return Promise.race([run(openStores(table)), death]);
  }

  async #verify(stores: ReturnType<typeof openStores>, codes: readonly string[]): Promise<void> {
    for (const code of codes) {
      const { entries } = await stores.history.page({ project: this.#project.id, code }, { pageSize: 9 });
      const changes = codes.indexOf(code) < 10 ? ['updated', 'created'] : ['created'];
      expect(entries.map(({ type }) => type)).toEqual(changes);
    }
    for (const { id, project } of this.#webhooks) {
      const received = this.#received.get(`https://hooks.example.com/${id}`) ?? [];
      const bodies = new Map(received.map((one) => [one.id, one.body]));
      const emitted = [...bodies.values()].map((body) => JSON.parse(body).data.link.code);
      expect(emitted.toSorted()).toEqual(codes.toSorted());
      // One id, one body.
      expect(received.filter((one) => bodies.get(one.id) !== one.body)).toEqual([]);
      expect(await stores.deliveries.pending({ project, id }, { limit: 10 })).toEqual([]);
      expect(await stores.deliveries.list({ project, id }, 'delivered')).toHaveLength(codes.length);
    }
  }
}

const connection = () =>
  connect(
    serviceAccess(
      {
        AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
      'dynamodb',
    ),
  );

const count = Number(process.env.FAULT_SCHEDULES ?? 3);
const first = Number(process.env.FAULT_SEED ?? 23);
const seeds = Array.from({ length: count }, (_, i) => first + i);

test.each(seeds)(
  'schedule %s: every event reaches every webhook and every change its history once, whatever fails or dies',
  async (seed) => {
    await new Schedule(seed).run();
  },
);
