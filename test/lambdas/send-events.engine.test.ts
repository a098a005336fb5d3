import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type AllStores, openStores } from '../../core/stores.ts';
import { updateOf } from '../../core/table/update.ts';
import { deliveryKey, turnsKey, webhookStateKey } from '../../core/table/webhook-keys.ts';
import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import { openReceiver } from '../../core/webhooks/receiver.ts';
import { secretOf, signatureOf } from '../../core/webhooks/secret.ts';
import { messageOf, type Wake } from '../../core/webhooks/wake.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { eventSender, type SenderProps } from '../../lambdas/queues/send-events.ts';
import { anEvent, aWebhook, unique } from '../support/builders.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { printedBy } from '../support/function-log.ts';
import { listen } from '../support/listen.ts';
import { ofFile } from '../support/of-file.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
  /** Resolves when the answer may go. */
  readonly after?: Promise<unknown> | undefined;
}

const db = fileTable();
const stores = ofFile(() => openStores(db.table));
let answer: () => Answer;
let received: { headers: IncomingHttpHeaders; body: string }[];
let wakes: [Wake, number][];
const server = ofFile(() =>
  listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    const { status, headers = {}, text, after } = answer();
    await after;
    response.writeHead(status, headers).end(text);
  }),
);
beforeEach(() => {
  received = [];
  wakes = [];
  answer = () => ({ status: 200 });
});

/** A webhook of a project, for which so many events wait. */
const waitingFor = async (events = 0, fields: Partial<Webhook> = {}) => {
  const { id: project } = await newProject(db);
  const webhook = aWebhook({ project, url: `${server.endpoint}/hook`, ...fields });
  await stores.webhooks.create(webhook);
  for (let i = 0; i < events; i += 1) await happens(webhook);
  return webhook;
};

const happens = async ({ project, id }: Webhook) => {
  const event = anEvent(project);
  await stores.deliveries.add(event, [id], new Date());
  return event;
};

interface SendOptions extends Pick<SenderProps, 'pageSize' | 'turnMs'> {
  readonly deadlineMs?: number;
  readonly turns?: AllStores['turns'];
  readonly deliveries?: AllStores['deliveries'];
}

const send = async (
  body: string,
  messageId = unique('message'),
  { deadlineMs = 20_000, turns = stores.turns, deliveries = stores.deliveries, ...sizes }: SendOptions = {},
) => {
  const sender = eventSender({
    stores: { ...stores, turns, deliveries },
    wake: async (wake, delay = 0) => void wakes.push([wake, delay]),
    secret: 'secret',
    version: '9.9.9',
    put: () => Promise.reject(new Error('There is no bus')),
    open: () => openReceiver({ isLocal: true, sockets: 10, deadlineMs }),
    ...sizes,
  });
  const Records = [{ messageId, body }] as Parameters<typeof sender>[0]['Records'];
  await sender({ Records });
};

const wakeFor = ({ project, id }: Webhook, test?: Wake['test']) => messageOf({ project, webhook: id, test });

/** Sends a webhook's deliveries, by a message. */
const sendTo = (webhook: Webhook, options?: SendOptions) =>
  send(wakeFor(webhook), unique('message'), options);

const inState = (webhook: Webhook, state: 'pending' | 'delivered' | 'failed') =>
  stores.deliveries.list(webhook, state);

const countIn = async (webhook: Webhook, state: 'pending' | 'delivered' | 'failed') =>
  (await inState(webhook, state)).length;

const stateOf = async ({ project, id }: Webhook) => (await stores.webhooks.find(project, id))?.state;

const wakeAgain = ({ project, id }: Webhook, delay: unknown) => [[{ project, webhook: id }, delay]];

/** Changes the delivery that waits for a webhook. */
const changed = async (webhook: Webhook, fields: Partial<PendingDelivery>) => {
  const [delivery] = (await stores.deliveries.pending(webhook, { limit: 1 })) as [PendingDelivery];
  const due = fields.due ?? delivery.due - 1;
  await stores.deliveries.settle(delivery, { ...delivery, ...fields, due }, 'pending');
};
const dueIn = (webhook: Webhook, ms: number) => changed(webhook, { due: Date.now() + ms });

test('an event is sent once, signed, byte for byte as it is stored', async () => {
  const webhook = await waitingFor();
  const { id, body } = await happens(webhook);
  await sendTo(webhook);
  await sendTo(webhook);
  expect(received).toHaveLength(1);
  const [{ headers, body: sent } = { headers: {}, body: '' }] = received;
  expect(sent).toBe(body);
  const timestamp = Number(headers['webhook-timestamp']);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'dynamic-link-service/9.9.9',
    'webhook-id': id,
    'webhook-signature': signatureOf({ id, timestamp, body }, [secretOf('secret', webhook, 1)]),
  });
  expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(60);
  expect(await inState(webhook, 'delivered')).toMatchObject([{ event: id, attempts: 1, lastStatus: 200 }]);
  expect((await stateOf(webhook))?.lastSuccessAt).toBeDefined();
  expect(wakes).toEqual([]);
});

test('a failed attempt is repeated after five seconds, by one message', async () => {
  const webhook = await waitingFor(2);
  answer = () => ({ status: 308 });
  await sendTo(webhook);
  const pending = await inState(webhook, 'pending');
  const failed = { attempts: 1, lastStatus: 308, lastError: expect.stringContaining('Redirects') };
  expect(pending).toMatchObject([failed, failed]);
  const due = pending.map((one) => (one.due ?? 0) - Date.now());
  for (const ms of due) expect(ms).toBeLessThanOrEqual(5500);
  expect(wakes.map(([, delay]) => delay)).toEqual([expect.any(Number)]);
  expect(wakes[0]?.[1]).toBeGreaterThanOrEqual(3);
  // Another message finds nothing due, and that one is on its way.
  await sendTo(webhook);
  expect([received.length, wakes.length]).toEqual([2, 1]);
});

test('a receiver postpones by Retry-After', async () => {
  const webhook = await waitingFor(1);
  answer = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  await sendTo(webhook);
  const [{ due = 0 } = {}] = await inState(webhook, 'pending');
  expect(due).toBeGreaterThan(Date.now() + 3_500_000);
  // No message can wait longer.
  expect(wakes).toEqual(wakeAgain(webhook, 900));
});

test('after eight attempts a delivery is given up, and can be sent again', async () => {
  const webhook = await waitingFor(1);
  await changed(webhook, { attempts: 7 });
  answer = () => ({ status: 500, text: 'no such order' });
  await sendTo(webhook);
  const [failed] = await inState(webhook, 'failed');
  expect(failed).toMatchObject({ attempts: 8, lastStatus: 500, lastAnswer: 'no such order' });
  expect(wakes).toEqual([]);
  answer = () => ({ status: 204 });
  if (failed) expect(await stores.deliveries.again(failed, new Date())).toBe(true);
  await sendTo(webhook);
  expect(await inState(webhook, 'delivered')).toMatchObject([{ attempts: 1, lastStatus: 204 }]);
  expect((await inState(webhook, 'delivered'))[0]?.lastAnswer).toBeUndefined();
  expect(await inState(webhook, 'failed')).toEqual([]);
});

test('a receiver that returns 410 gets nothing more, until its webhook is active again', async () => {
  const webhook = await waitingFor(30);
  answer = () => ({ status: 410 });
  await sendTo(webhook);
  expect([await countIn(webhook, 'failed'), await countIn(webhook, 'pending')]).toEqual([10, 20]);
  expect(await stateOf(webhook)).toMatchObject({ status: 'DISABLED', reason: 'gone' });
  await happens(webhook);
  await sendTo(webhook);
  expect([received.length, await countIn(webhook, 'pending')]).toEqual([10, 21]);
  answer = () => ({ status: 200 });
  await stores.webhookStates.activate(webhook, new Date());
  await sendTo(webhook);
  expect(await countIn(webhook, 'delivered')).toBe(21);
});

const failing = async (webhook: Webhook, hours: number, failures: number) => {
  const failingSince = new Date(Date.now() - hours * 3_600_000).toISOString();
  const key = webhookStateKey(webhook.project, webhook.id);
  await db.table.update(updateOf(key, { set: { failingSince, failures } }));
};

test('a webhook that has failed for an hour is announced, and one for 72 hours is disabled', async () => {
  answer = () => ({ status: 500 });
  const [young, old, seldom] = [await waitingFor(), await waitingFor(), await waitingFor()];
  await failing(young, 1.1, 19);
  await failing(old, 72.1, 19);
  await failing(seldom, 72.1, 18);
  const metrics = await printedBy(async () => {
    for (const webhook of [young, old, seldom]) {
      await happens(webhook);
      await sendTo(webhook);
    }
  });
  expect(metrics.map(({ message, webhook }) => [message, webhook])).toEqual(
    [young, old, seldom].map(({ id }) => ['WebhookFailing', id]),
  );
  expect(await stateOf(young)).toMatchObject({ status: 'ACTIVE' });
  expect(await stateOf(old)).toMatchObject({ status: 'DISABLED', reason: 'failing' });
  expect(await stateOf(seldom)).toMatchObject({ status: 'ACTIVE' });
});

test('a receiver gets ten requests at once, and another turn waits for this one', async () => {
  const webhook = await waitingFor(25);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  answer = () => ({ status: 200, after: released });
  const first = send(wakeFor(webhook), 'first');
  while (received.length < 10) await new Promise((resolve) => setTimeout(resolve, 5));
  await happens(webhook);
  await send(wakeFor(webhook), 'second');
  expect(received).toHaveLength(10);
  release();
  await first;
  expect(await countIn(webhook, 'delivered')).toBe(26);
});

test('nothing is sent for a suspended project, nor to a paused webhook; both go on later', async () => {
  const webhook = await waitingFor(1);
  await stores.projects.suspend(webhook.project, new Date());
  await sendTo(webhook);
  await stores.projects.resume(webhook.project, new Date());
  await stores.webhookStates.stop(webhook, { status: 'PAUSED', now: new Date() });
  await sendTo(webhook);
  expect([received, wakes]).toEqual([[], []]);
  await stores.webhookStates.activate(webhook, new Date());
  await sendTo(webhook);
  expect(received).toHaveLength(1);
});

test('pending deliveries are sent if a webhook becomes active just before a turn ends that saw it paused', async () => {
  const webhook = await waitingFor(1);
  await stores.webhookStates.stop(webhook, { status: 'PAUSED', now: new Date() });
  let activated = false;
  const turns: typeof stores.turns = {
    begin: async (...turn) => {
      const lane = await stores.turns.begin(...turn);
      if (!lane) return undefined;
      const end: typeof lane.end = async (ending) => {
        if (!activated) {
          activated = true;
          await stores.webhookStates.activate(webhook, new Date());
          // The command's message finds the turn.
          await sendTo(webhook);
        }
        return lane.end(ending);
      };
      return { ...lane, end };
    },
  };
  await sendTo(webhook, { turns });
  expect([received.length, await countIn(webhook, 'delivered')]).toEqual([1, 1]);
});

test("a failed write of one delivery doesn't lose the results of others", async () => {
  const webhook = await waitingFor(2);
  const { promise: failing, resolve: fails } = Promise.withResolvers<void>();
  let settled = 0;
  const deliveries: typeof stores.deliveries = {
    ...stores.deliveries,
    settle: async (...settling) => {
      settled += 1;
      if (settled > 1) return stores.deliveries.settle(...settling);
      setImmediate(fails);
      throw new Error('The table is out of reach');
    },
  };
  const answers = [{ status: 500 }, { status: 200, after: failing }];
  answer = () => answers.shift() ?? { status: 200 };
  await expect(send(wakeFor(webhook), 'first', { deliveries })).rejects.toThrow('out of reach');
  expect(await countIn(webhook, 'delivered')).toBe(1);
  // The message comes again.
  await send(wakeFor(webhook), 'first');
  expect(await countIn(webhook, 'delivered')).toBe(2);
});

test('a duplicate pending event is sent, and so are others', async () => {
  const webhook = await waitingFor();
  const event = await happens(webhook);
  const [delivery] = (await stores.deliveries.pending(webhook, { limit: 1 })) as [PendingDelivery];
  // As two deliveries of it could come to wait in version 1.1.0.
  const again = { ...delivery, due: delivery.due + 1 };
  await db.table.put({ Item: { ...again, ...deliveryKey(webhook, 'pending', again) } });
  const other = await happens(webhook);
  await sendTo(webhook);
  expect(received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
    [event.id, event.id, other.id].toSorted(),
  );
  expect(await countIn(webhook, 'pending')).toBe(0);
});

test('a repeated event adds missing deliveries', async () => {
  const [one, { id: other }] = [await waitingFor(), aWebhook()];
  const event = await happens(one);
  await stores.deliveries.add(event, [one.id, other], new Date());
  expect(await inState({ ...one, id: other }, 'pending')).toMatchObject([{ event: event.id }]);
  expect(await countIn(one, 'pending')).toBe(1);
});

test('a turn that throws still reports that its webhook fails', async () => {
  const webhook = await waitingFor(1);
  await failing(webhook, 2, 5);
  const deliveries: typeof stores.deliveries = {
    ...stores.deliveries,
    bodies: () => Promise.reject(new Error('The table is out of reach')),
  };
  const lines = await printedBy(() =>
    expect(send(wakeFor(webhook), 'first', { deliveries })).rejects.toThrow('out of reach'),
  );
  expect(lines).toMatchObject([{ message: 'WebhookFailing', webhook: webhook.id }]);
});

test('a turn relies on no message that may have come already', async () => {
  const webhook = await waitingFor(1);
  await dueIn(webhook, 100_000);
  await db.table.put({
    Item: { ...turnsKey(webhook.project), planned: { [webhook.id]: Date.now() + 950 }, version: 'before' },
  });
  await sendTo(webhook);
  expect(wakes).toEqual(wakeAgain(webhook, expect.any(Number)));
});

test("pending deliveries go to the webhook's current address, and stop once it is deleted", async () => {
  const webhook = await waitingFor(0, { url: 'http://127.0.0.1:1/' });
  await happens(webhook);
  await stores.webhooks.change({ ...webhook, url: `${server.endpoint}/moved` });
  await sendTo(webhook);
  expect(received).toHaveLength(1);
  await happens(webhook);
  await stores.webhooks.delete(webhook.project, webhook.id);
  await sendTo(webhook);
  expect(received).toHaveLength(1);
});

test('a test is made once, whatever the status, and stores its result', async () => {
  const webhook = await waitingFor();
  await stores.webhookStates.stop(webhook, { status: 'PAUSED', now: new Date() });
  const { project, id } = webhook;
  const tried = async (test: string, deadlineMs = 20_000) => {
    await send(wakeFor(webhook, test), unique('message'), { deadlineMs });
    return stores.deliveries.testOutcome(webhook, test);
  };
  const event = expect.stringMatching(/^evt_[\w-]{30}$/);
  expect(await tried('one')).toEqual({ id: event, status: 200, ms: expect.any(Number) });
  await send(wakeFor(webhook, 'one'));
  expect(received.map((one) => JSON.parse(one.body))).toEqual([
    {
      id: (await stores.deliveries.testOutcome(webhook, 'one'))?.id,
      type: 'webhook.test',
      timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
      data: { project, webhook: id },
    },
  ]);
  answer = () => ({ status: 500 });
  expect(await tried('two')).toEqual({ id: event, status: 500, ms: expect.any(Number) });
  answer = () => ({ status: 200, after: new Promise(() => undefined) });
  expect(await tried('three', 100)).toEqual({
    id: event,
    error: 'No answer within 0.1 seconds',
    ms: expect.any(Number),
  });
  await stores.projects.suspend(webhook.project, new Date());
  expect(await tried('four')).toMatchObject({ error: expect.stringContaining('suspended') });
  expect(received).toHaveLength(3);
  expect((await stateOf(webhook))?.failures).toBeUndefined();
});

test.each([
  ['says what a test sends', { v: 2, test: { id: 'one', body: '{"type":"link.deleted"}' } }],
  ['is a test of version 1.1.0', { v: 1, test: { id: 'evt_one', body: '{"type":"link.deleted"}' } }],
  ['has a body', { v: 1, body: '{"type":"link.deleted"}' }],
  ['has a name that is too long', { v: 2, test: 'a'.repeat(51) }],
  ['is a test without a name', { v: 2 }],
  ['names no webhook', { v: 1, webhook: 'wh_1' }],
  ['has a later form', { v: 3 }],
])('nothing is sent for a message that %s', async (_, fields) => {
  const webhook = await waitingFor(1);
  const message = JSON.stringify({ project: webhook.project, webhook: webhook.id, ...fields });
  const lines = await printedBy(() => send(message));
  expect(received).toEqual([]);
  expect(lines).toMatchObject([{ message: expect.stringContaining('could not be read') }]);
});

test('a message for a later delivery does not count for an earlier one', async () => {
  const webhook = await waitingFor(1);
  await dueIn(webhook, 600_000);
  await sendTo(webhook);
  expect(wakes.map(([, delay]) => delay)).toEqual([expect.any(Number)]);
  expect(wakes[0]?.[1]).toBeGreaterThan(500);
  await happens(webhook);
  answer = () => ({ status: 500 });
  await sendTo(webhook);
  expect(wakes).toHaveLength(2);
  expect(wakes[1]?.[1]).toBeLessThanOrEqual(6);
});

test.each([
  ['whose time is over', { ttl: 1 }],
  ['that had eight attempts', { attempts: 8 }],
])('a delivery %s is not sent any more', async (_, fields) => {
  const webhook = await waitingFor(1);
  await changed(webhook, fields);
  await sendTo(webhook);
  expect(received).toEqual([]);
  expect(await countIn(webhook, 'pending')).toBe(0);
});

test('a success ends a time of failures also within a second of the one before', async () => {
  const webhook = await waitingFor(1);
  await sendTo(webhook);
  await happens(webhook);
  answer = () => ({ status: 500 });
  await sendTo(webhook);
  expect((await stateOf(webhook))?.failingSince).toBeDefined();
  await happens(webhook);
  answer = () => ({ status: 200 });
  await sendTo(webhook);
  expect((await stateOf(webhook))?.failingSince).toBeUndefined();
});

test.each([
  ['', 200],
  [' after a failure', 500],
])('few of many successes%s are stored', async (_, first) => {
  const webhook = await waitingFor(31);
  const answers: Answer[] = [{ status: first }];
  answer = () => answers.shift() ?? { status: 200 };
  const noted = jest.spyOn(stores.webhookStates, 'succeeded');
  await sendTo(webhook, { turnMs: 60_000 });
  const { length } = noted.mock.calls;
  noted.mockRestore();
  expect(await countIn(webhook, 'delivered')).toBe(first === 200 ? 31 : 30);
  expect(length).toBeLessThan(20);
});

test('a success ends a failure of the same turn', async () => {
  const webhook = await waitingFor(1);
  await sendTo(webhook);
  await happens(webhook);
  await happens(webhook);
  const failure = async () => {
    while ((await stateOf(webhook))?.failingSince === undefined) await delay(1);
  };
  const answers: Answer[] = [{ status: 500 }, { status: 200, after: failure() }];
  answer = () => answers.shift() ?? { status: 200 };
  await sendTo(webhook);
  expect(received).toHaveLength(3);
  expect((await stateOf(webhook))?.failingSince).toBeUndefined();
});

test('the next attempt is as far from the one that failed, however long that was due', async () => {
  const webhook = await waitingFor(1);
  await dueIn(webhook, -600_000);
  answer = () => ({ status: 500 });
  const begun = Date.now();
  await sendTo(webhook);
  expect(received).toHaveLength(1);
  const [{ due = 0 } = {}] = await inState(webhook, 'pending');
  expect(due).toBeGreaterThanOrEqual(begun + 5000);
});

test('the same turn sends deliveries that are due in a moment', async () => {
  const webhook = await waitingFor(1);
  await dueIn(webhook, 400);
  await sendTo(webhook, { turnMs: 60_000 });
  expect([received.length, wakes]).toEqual([1, []]);
});

test('a webhook is announced after an hour, whenever its next attempt is due', async () => {
  const webhook = await waitingFor();
  await failing(webhook, 50 / 60, 5);
  await happens(webhook);
  await dueIn(webhook, 7_200_000);
  await sendTo(webhook);
  expect(wakes).toHaveLength(1);
  expect(wakes[0]?.[1]).toBeLessThanOrEqual(600);
});

test('a pause acts within a second of the turn that sends', async () => {
  const webhook = await waitingFor(12);
  const now = jest.spyOn(Date, 'now');
  const pause = async () => {
    await stores.webhookStates.stop(webhook, { status: 'PAUSED', now: new Date() });
    now.mockReturnValue(Date.now() + 1000);
  };
  let paused: Promise<void> | undefined;
  answer = () => {
    paused ??= pause();
    return { status: 200, after: paused };
  };
  await sendTo(webhook, { turnMs: 60_000 });
  now.mockRestore();
  expect([received.length, await countIn(webhook, 'pending')]).toEqual([10, 2]);
});

test('a turn whose time is up makes way for a webhook that waits, and goes on after it', async () => {
  const webhook = await waitingFor(1);
  const others = [
    await waitingFor(0, { project: webhook.project }),
    await waitingFor(0, { project: webhook.project }),
  ];
  const turns: typeof stores.turns = {
    begin: async (...turn) => {
      const lane = await stores.turns.begin(...turn);
      // One also runs, the other finds no place.
      for (const { project, id } of others)
        await stores.turns.begin({ project, webhook: id, message: id }, new Date());
      return lane;
    },
  };
  await sendTo(webhook, { turns, turnMs: 0 });
  expect(wakes).toEqual([[{ project: webhook.project, webhook: others[1]?.id }, 0]]);
});

test('a slow answer holds up nothing of the next page', async () => {
  const webhook = await waitingFor(5);
  const { promise: all, resolve: release } = Promise.withResolvers<void>();
  answer = () => {
    if (received.length === 5) release();
    return { status: 200, after: received.length === 1 ? all : undefined };
  };
  await sendTo(webhook, { pageSize: 2, turnMs: 60_000 });
  expect(await countIn(webhook, 'delivered')).toBe(5);
  expect(received).toHaveLength(5);
});

test('a turn whose time is up begins nothing more, and another one follows', async () => {
  const webhook = await waitingFor(12);
  await sendTo(webhook, { turnMs: 0 });
  expect(received).toEqual([]);
  expect(wakes).toEqual(wakeAgain(webhook, 0));
});

test('a turn whose time is up while it sends begins nothing more', async () => {
  const webhook = await waitingFor(12);
  const turnMs = 50;
  answer = () => ({ status: 200, after: delay(2 * turnMs) });
  await sendTo(webhook, { turnMs });
  expect(received.length).toBeLessThanOrEqual(10);
  expect(wakes).toEqual(wakeAgain(webhook, 0));
});

test("deliveries left at a turn's end wait for the next turn", async () => {
  const webhook = await waitingFor(1);
  const now = jest.spyOn(Date, 'now');
  const deliveries: typeof stores.deliveries = {
    ...stores.deliveries,
    bodies: async (...asked) => {
      const read = await stores.deliveries.bodies(...asked);
      now.mockReturnValue(Date.now() + 60_000);
      return read;
    },
  };
  await sendTo(webhook, { deliveries, turnMs: 30_000 });
  now.mockRestore();
  expect(received).toEqual([]);
  expect(wakes).toEqual(wakeAgain(webhook, 0));
});
