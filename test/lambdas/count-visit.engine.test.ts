import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { limits } from '../../core/base/limits.ts';
import { openStores } from '../../core/stores.ts';
import { partitions } from '../../core/table/keys.ts';
import { itemsOf } from '../../core/table/ranges.ts';
import { forClicks, once } from '../../core/table/retry-policy.ts';
import type { EnqueueClick } from '../../core/visits/click-queue.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { excludedStore } from '../../core/visits/excluded-store.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import { type CountVisit, visitCounter } from '../../lambdas/short-urls/count-visit.ts';
import { userAgentOf } from '../../lambdas/short-urls/responses.ts';
import type { CallFault } from '../../local/testing/faulty-engine.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { fileFaults } from '../support/faults.ts';
import { visitEvent } from '../support/function-calls.ts';
import { printedBy } from '../support/function-log.ts';
import { openLeanTable } from '../support/lean-table.ts';

const db = fileTable();
const faulty = fileFaults(db);
let calls: number;
let enqueueClick: EnqueueClick;
let countVisit: CountVisit;
/** Each test has a container of its own. */
beforeEach(() => {
  const stores = {
    clicks: clickStore(openLeanTable(faulty.endpoint, forClicks)),
    excluded: excludedStore(openLeanTable(faulty.endpoint, once)),
  };
  countVisit = visitCounter(stores, {
    visitorSecret: 'secret',
    uniqueWindowSeconds: 90 * 86_400,
    enqueueClick: (late) => enqueueClick(late),
  });
  calls = 0;
  enqueueClick = () => Promise.reject(new Error('There is no queue'));
  faulty.fault = () => {
    calls += 1;
    return 'none';
  };
});

const noon = Date.parse('2026-03-01T12:00:00.000Z');

const visit = (
  code: string,
  method: string,
  userAgent: string,
  { atMs = 0, groups = 1, headers = {} } = {},
) =>
  countVisit(visitEvent('/', { method, headers: { 'user-agent': userAgent, ...headers } }), {
    foundLink: {
      project: 'acme',
      code,
      link: { status: 'ACTIVE', payload: { link: 'https://example.com/' }, groups },
    },
    shortUrl: `https://go.example.com/${code}`,
    query: '',
    visitor: visitorOf(userAgent),
    trigger: 'link',
    now: new Date(noon + atMs),
  });

const excludedOf = async (code: string) => (await openStores(db.table).analytics.find('acme', code)).excluded;

test('a constant monitor needs six writes a minute after its first 20, and each of its visits is counted', async () => {
  const code = unique('code');
  for (let ms = 0; ms <= 60_000; ms += 100) await visit(code, 'HEAD', userAgents.desktop, { atMs: ms });
  expect(calls).toBe(20 + 6);
  expect(await excludedOf(code)).toEqual({ head: 601 });
});

test('visits that the table has no room for are counted ten seconds later, without a metric', async () => {
  const code = unique('code');
  faulty.fault = () => 'throttle';
  const lines = await printedBy(async () => {
    await visit(code, 'HEAD', userAgents.desktop);
    faulty.fault = () => 'none';
    await visit(code, 'HEAD', userAgents.desktop, { atMs: 9999 });
    expect(await excludedOf(code)).toEqual({});
    await visit(code, 'HEAD', userAgents.desktop, { atMs: 10_000 });
  });
  expect([await excludedOf(code), lines]).toEqual([{ head: 3 }, []]);
});

test('a visit whose tries have different request ids is one click, by the id of the edge', async () => {
  const code = unique('code');
  const headers = { 'x-visit-id': unique('visit') };
  for (let i = 0; i < 2; i += 1) await visit(code, 'GET', userAgents.desktop, { headers });
  await visit(code, 'GET', userAgents.desktop);
  const clicks = await db.table.query(itemsOf(`${partitions.visitor}acme#${code}#1`));
  expect(clicks.map(({ hits }) => hits)).toEqual([2]);
});

describe('a click that the table does not take', () => {
  const queued: LateWrite[] = [];
  beforeEach(() => {
    queued.length = 0;
    enqueueClick = async (late) => void queued.push(late);
  });
  const counted = async (code: string, fault: CallFault) => {
    let sent = 0;
    faulty.fault = () => {
      sent += 1;
      return fault;
    };
    const lines = await printedBy(() => visit(code, 'GET', userAgents.iphone));
    expect(JSON.stringify(lines)).not.toContain('203.0.113.7');
    return { sent, metrics: lines.map(({ message }) => message) };
  };

  test('because it is throttled waits in the queue, after one attempt', async () => {
    const code = unique('code');
    expect(await counted(code, 'throttle')).toEqual({ sent: 1, metrics: ['ClickQueued'] });
    const PK = expect.stringMatching(`^VISITOR#acme#${code}#`);
    const visited = { platform: 'ios', seen: noon / 1000 };
    expect(queued).toEqual([
      expect.objectContaining({
        isSure: true,
        write: expect.objectContaining({
          Key: expect.objectContaining({ PK }),
          adds: { hits: 1 },
          visit: expect.objectContaining(visited),
        }),
      }),
    ]);
  });

  test('without a response may have been counted, and is logged so', async () => {
    expect(await counted(unique('code'), 'lose-answer')).toMatchObject({ metrics: ['ClickQueued'] });
    expect(queued).toEqual([expect.objectContaining({ isSure: false })]);
  });
});

test('if the write of an excluded visit has no response, there is a metric and no error', async () => {
  faulty.fault = () => 'lose-answer';
  const lines = await printedBy(() => visit(unique('code'), 'HEAD', userAgents.iphone));
  expect(lines.map(({ message }) => message)).toEqual(['ExcludedVisitsLost']);
});

test('only the start of a user agent is read, which patterns search quickly', () => {
  const event = { headers: { 'user-agent': `${'x'.repeat(limits.userAgent)} Instagram` } };
  expect(userAgentOf(event as unknown as LambdaFunctionURLEvent)).toBe('x'.repeat(limits.userAgent));
});
