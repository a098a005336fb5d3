import type { StreamRecord } from '../../core/events/stream-change.ts';
import { openStores } from '../../core/stores.ts';
import { connect, serviceAccess } from '../../core/table/connection.ts';
import { expiryKey } from '../../core/table/keys.ts';
import { forBackground } from '../../core/table/retry-policy.ts';
import { openTable } from '../../core/table/whole-table.ts';
import type { Wake } from '../../core/webhooks/wake.ts';
import { newWebhookId } from '../../core/webhooks/webhook.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { fileTable, tableName } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { mortal } from '../support/mortal-transport.ts';
import { ofFile } from '../support/of-file.ts';
import { recordStream } from '../support/stream-records.ts';

const db = fileTable();
const stores = ofFile(() => openStores(db.table));
const stream = ofFile(() => recordStream(db));
ofFile(captureFunctionLog);

const expiresAt = '2026-03-01T12:00:00.000Z';

/** A link that has expired, with a webhook that hears only of that. */
const anExpiredLink = async () => {
  const project = aProject();
  await stores.projects.create(project);
  const webhook = {
    ...{ id: newWebhookId(), project: project.id, url: 'https://hooks.example.com/' },
    ...{ events: ['link.expired' as const], createdAt: project.createdAt, revision: 1, generation: 1 },
  };
  await stores.webhooks.create(webhook);
  const code = unique('code');
  const draft = aLinkDraft({ project: project.id, code, expiresAt });
  await stores.links.create(draft, { project, generateCode: () => code });
  await stream.take();
  return { place: { project: project.id, code }, webhook };
};

type Place = Awaited<ReturnType<typeof anExpiredLink>>['place'];

/** Deletes its marker, as TTL does. */
const sweep = async ({ project, code }: Place): Promise<StreamRecord> => {
  await db.table.delete({ Key: expiryKey(project, code) });
  const OldImage = { project: { S: project }, code: { S: code }, expiresAt: { S: expiresAt } };
  return { eventName: 'REMOVE', dynamodb: { SequenceNumber: '1', OldImage } } as unknown as StreamRecord;
};

const woken: Wake[] = [];
const access = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

/** The reader of the stream, killed after so many calls of the table and of the queue. Resolves to whether it was. */
const deliver = async (Records: readonly StreamRecord[], calls = Number.POSITIVE_INFINITY) => {
  const env = { ...access, AWS_ENDPOINT_URL_DYNAMODB: db.endpoint, AWS_REGION: 'us-east-1' };
  const { send, death } = mortal(connect(serviceAccess(env, 'dynamodb')), calls);
  const reading = eventEmitter({
    stores: openStores(openTable(send, { name: tableName, policy: forBackground })),
    wake: async (wake) => void woken.push(wake),
    shortBase: 'https://go.example',
    historyDays: 400,
  })({ Records });
  return (await Promise.race([reading, death])) === 'died';
};

/** Kills it after each number of calls, and restarts it at the records that it was not done with. */
const overEachKill = async (
  recordsOf: (place: Place) => Promise<readonly StreamRecord[]>,
  check: (link: Awaited<ReturnType<typeof anExpiredLink>>) => Promise<void>,
) => {
  for (let calls = 0; ; calls += 1) {
    const link = await anExpiredLink();
    const records = await recordsOf(link.place);
    const isKilled = await deliver(records, calls);
    if (isKilled) expect(await deliver(records)).toBe(false);
    await check(link);
    if (!isKilled) return calls;
  }
};

const statusOf = async ({ project, code }: Place) => (await stores.links.get(project, code)).link.status;

/** Events to send, once each. */
const waiting = async ({ project, id }: { readonly project: string; readonly id: string }) => {
  const pending = await stores.deliveries.pending({ project, id }, { limit: 10 });
  const bodies = await stores.deliveries.bodies(
    project,
    pending.map(({ event }) => event),
  );
  return pending.map(({ event }) => {
    const { type, data } = JSON.parse(bodies.get(event) ?? '');
    return [type, data.link.code];
  });
};

test('an expiry is stored, wherever its reader is killed', async () => {
  const calls = await overEachKill(
    async (place) => [await sweep(place)],
    async ({ place }) => {
      const [change, ...others] = await stream.take();
      expect([change?.dynamodb?.NewImage?.status, others]).toEqual([{ S: 'EXPIRED' }, []]);
      expect(await statusOf(place)).toBe('EXPIRED');
    },
  );
  expect(calls).toBeGreaterThan(1);
});

test('a stored expiry emits one event, wherever its reader is killed', async () => {
  const calls = await overEachKill(
    async (place) => {
      const removal = await sweep(place);
      await deliver([removal]);
      return [removal, ...(await stream.take())];
    },
    async ({ place, webhook }) => {
      expect(await waiting(webhook)).toEqual([['link.expired', place.code]]);
      expect(woken).toContainEqual({ project: place.project, webhook: webhook.id });
    },
  );
  expect(calls).toBeGreaterThan(4);
});
