import type { DynamoDBStreamEvent } from 'aws-lambda';
import { openStores } from '../../core/stores.ts';
import { linkKey } from '../../core/table/keys.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
let expire: (event: DynamoDBStreamEvent) => Promise<object>;
beforeAll(async () => {
  const tell = eventEmitter({
    stores: openStores(openWholeTable(faulty.endpoint)),
    wake: () => Promise.reject(new Error('Nobody listens')),
    shortBase: 'https://go.example',
    historyDays: 400,
  });
  // The types of AWS leave attributes open.
  expire = (event) => tell(event as Parameters<typeof tell>[0]);
});
beforeEach(() => {
  faulty.fault = () => 'none';
});

const expiresAt = '2026-03-01T12:00:00.000Z';

/** Creates expired links, and the stream records that remove their markers. */
const expiredLinks = async (count: number) => {
  const project = aProject();
  const stores = openStores(db.table);
  await stores.projects.create(project);
  const codes = Array.from({ length: count }, () => unique('code'));
  for (const code of codes) {
    const draft = aLinkDraft({ project: project.id, code, expiresAt });
    await stores.links.create(draft, { project, generateCode: () => code });
  }
  const Records = codes.map((code, index) => ({
    eventName: 'REMOVE',
    dynamodb: {
      SequenceNumber: String(index + 1),
      OldImage: { project: { S: project.id }, code: { S: code }, expiresAt: { S: expiresAt } },
    },
  }));
  return {
    event: { Records } as unknown as DynamoDBStreamEvent,
    codes,
    statuses: async () =>
      Promise.all(codes.map(async (code) => (await db.table.get(linkKey(project.id, code)))?.status)),
  };
};

test('only expiries that could not be stored are asked for again', async () => {
  const { event, codes, statuses } = await expiredLinks(3);
  const [, second = ''] = codes;
  faulty.fault = (_, body) => (body.includes(second) ? 'throttle' : 'none');
  const log = captureFunctionLog();
  const answer = await expire(event);
  log.stop();
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  expect(await statuses()).toEqual(['EXPIRED', 'ACTIVE', 'EXPIRED']);
  expect(log.lines.map((line) => JSON.parse(line).message)).toEqual([
    'An expiry was not stored yet',
    'BatchFailed',
  ]);

  faulty.fault = () => 'none';
  expect(await expire(event)).toEqual({ batchItemFailures: [] });
  expect(await statuses()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED']);
});

test('a stored expiry whose response was lost is not a failure', async () => {
  const { event, statuses } = await expiredLinks(1);
  let lost = 0;
  faulty.fault = () => {
    lost += 1;
    return lost === 1 ? 'lose-answer' : 'none';
  };
  expect(await expire(event)).toEqual({ batchItemFailures: [] });
  expect(await statuses()).toEqual(['EXPIRED']);
});
