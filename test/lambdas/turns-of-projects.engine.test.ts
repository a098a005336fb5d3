import { setTimeout as delay } from 'node:timers/promises';
import { openStores } from '../../core/stores.ts';
import { turnsKey } from '../../core/table/webhook-keys.ts';
import type { SendResult } from '../../core/webhooks/receiver.ts';
import { messageOf, type Wake } from '../../core/webhooks/wake.ts';
import { newWebhookId, type Webhook } from '../../core/webhooks/webhook.ts';
import { eventSender } from '../../lambdas/queues/send-events.ts';
import { senderTurns } from '../../lib/functions.ts';
import { anEvent, aProject, aWebhook } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { isNightly } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const stores = ofFile(() => openStores(db.table));

/** The sender's queue with as many turns at once as it has, and receivers that answer when the test lets them. */
class Deployment {
  readonly asked: string[] = [];
  readonly #messages: { id: string; body: string }[] = [];
  readonly #answers: { readonly url: string; readonly go: () => void }[] = [];
  #isOver = false;
  #sent = 0;
  readonly #workers: Promise<unknown>;

  constructor(outcome: SendResult) {
    const handle = eventSender({
      stores,
      wake: async (wake, seconds = 0) => {
        if (seconds === 0) this.wake(wake);
      },
      secret: 'secret',
      version: '0',
      put: () => Promise.reject(new Error('There is no bus')),
      turnMs: 200,
      open: () => ({
        post: async ({ url }) => {
          this.asked.push(url);
          if (url.includes('slow') && !this.#isOver)
            await new Promise<void>((go) => this.#answers.push({ url, go }));
          return url.includes('slow') ? outcome : { status: 200, ms: 1 };
        },
        close: () => undefined,
      }),
    });
    const worker = async () => {
      while (!this.#isOver) {
        const message = this.#messages.shift();
        if (!message) {
          await delay(2);
          continue;
        }
        const Records = [{ messageId: message.id, body: message.body }] as Parameters<
          typeof handle
        >[0]['Records'];
        await handle({ Records });
      }
    };
    this.#workers = Promise.all(Array.from({ length: senderTurns }, worker));
  }

  wake(wake: Wake): void {
    this.#sent += 1;
    this.#messages.push({ id: `message-${this.#sent}`, body: messageOf(wake) });
  }

  /** Lets those answer that have been asked so far. */
  answer(): void {
    for (const { go } of this.#answers.splice(0)) go();
  }

  /** Receivers that have not answered. */
  get waiting(): number {
    return new Set(this.#answers.map(({ url }) => url)).size;
  }

  get messages(): number {
    return this.#messages.length;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.answer();
    await this.#workers;
  }
}

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await delay(5);
};

const aProjectOf = async (kind: 'slow' | 'quick', webhooks: number, events: number): Promise<Webhook[]> => {
  const { id: project, ...rest } = aProject();
  await stores.projects.create({ id: project, ...rest });
  const made = Array.from({ length: webhooks }, (): Webhook => {
    const id = newWebhookId();
    return aWebhook({ id, project, url: `https://${kind}.example.com/${id}`, events: [] });
  });
  for (const webhook of made) await stores.webhooks.create(webhook);
  for (let i = 0; i < events; i += 1) await happens(made);
  return made;
};

const happens = async (webhooks: readonly Webhook[]): Promise<void> => {
  const ids = webhooks.map(({ id }) => id);
  await stores.deliveries.add(anEvent(webhooks[0]?.project ?? ''), ids, new Date());
};

const slowly: [string, SendResult][] = [
  ['hang', { error: 'No answer', ms: 10_000 }],
  ['answer late', { status: 204, ms: 9900 }],
];
test.each(isNightly ? slowly : slowly.slice(0, 1))(
  'three projects with ten receivers each that %s leave a fourth its places',
  async (_, outcome) => {
    const slow = await Promise.all([1, 2, 3].map(() => aProjectOf('slow', 10, 6)));
    const [quick] = (await aProjectOf('quick', 1, 1)) as [Webhook];
    const deployment = new Deployment(outcome);
    try {
      for (const { project, id } of slow.flat()) deployment.wake({ project, webhook: id });
      // Two of each wait, and there is nothing else to do; unless nobody is left to do it.
      const isBusy = () => deployment.waiting === senderTurns;
      await until(() => isBusy() || (deployment.waiting === 6 && deployment.messages === 0));
      for (let round = 0; round < 3; round += 1) {
        await happens([quick]);
        deployment.wake({ project: quick.project, webhook: quick.id });
        const expected = round + 2;
        await until(
          () => isBusy() || deployment.asked.filter((url) => url === quick.url).length === expected,
        );
        expect(deployment.waiting).toBe(6);
        deployment.answer();
        // Their next turns.
        await until(() => isBusy() || deployment.waiting === 6);
      }
      // Each of them has its turn.
      await until(() => {
        deployment.answer();
        const asked = new Set(deployment.asked);
        return slow.flat().every(({ url }) => asked.has(url));
      });
    } finally {
      await deployment.stop();
    }
  },
);

test('nothing is left of turns that are over', async () => {
  const webhooks = await aProjectOf('quick', 5, 3);
  const deployment = new Deployment({ ms: 0 });
  try {
    for (const { project, id } of webhooks) deployment.wake({ project, webhook: id });
    const isSent = async ({ project, id }: Webhook) =>
      (await stores.deliveries.list({ project, id }, 'delivered')).length === 3;
    await until(async () => (await Promise.all(webhooks.map(isSent))).every(Boolean));
    await until(async () => (await db.table.get(turnsKey(webhooks[0]?.project ?? ''))) === undefined);
  } finally {
    await deployment.stop();
  }
});
