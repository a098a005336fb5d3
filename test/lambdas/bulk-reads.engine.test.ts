import { partitions } from '../../core/table/keys.ts';
import { refusal } from '../../local/base/json-service.ts';
import { startEngineProxy } from '../../local/engine/engine-proxy.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { callApi } from '../support/function-calls.ts';
import { handlerOf } from '../support/handler-of.ts';
import { eventually } from '../support/local-stack.ts';
import { ofFile } from '../support/of-file.ts';

interface Read {
  readonly operation: string;
  readonly body: string;
}

const db = fileTable();
let project: string;
let reads: Read[] = [];
let isUnreadable = (_read: Read) => false;
const proxy = ofFile(() =>
  startEngineProxy(db.endpoint, async ({ operation, body }, forward) => {
    const read = { operation, body: body.toString() };
    if (/^(BatchGet|Get|Query)/.test(operation)) reads.push(read);
    return isUnreadable(read) ? throttled : forward();
  }),
);
let handler = handlerOf(() => import('../../lambdas/api/create-links.ts'), proxy);
beforeEach(async () => {
  ({ id: project } = await newProject(db));
});

const throttled = refusal({ type: 'ProvisionedThroughputExceededException', message: 'busy' });
const ofSuspended = ({ body }: Read) => body.includes(`"${partitions.suspended}"`);
const ofDenied = ({ body }: Read) => body.includes(`"${partitions.blocked}`);

/** Creates links; resolves to the failures by code, and the reads. */
const create = async (links: readonly object[]) => {
  reads = [];
  const { body } = await callApi(handler, { method: 'POST', path: '/links/bulk', body: { links }, project });
  const { data } = body;
  const messages: string[] = data.results.flatMap(
    ({ error }: { error?: { message: string } }) => error?.message ?? [],
  );
  return {
    created: data.created as number,
    messages,
    reads: reads.filter(({ body }) => !body.includes(partitions.suspended)),
  };
};

/** A link with every address, each on a host of its own with many labels. */
const widest = (i: number, fields: object = {}) => {
  const address = (j: number) => `https://a.b.c.d.e.f${j}.g${i}.${project}.example.com/`;
  return {
    payload: {
      link: address(0),
      desktop_fallback: address(1),
      android: { store_fallback: address(2) },
      ios: { app_store_fallback: address(3) },
      social: { image: address(4) },
    },
    ...fields,
  };
};

test('a hundred links on five hundred hosts read the blocked hosts once, and the next call has them cached', async () => {
  const result = await create(Array.from({ length: 100 }, (_, i) => widest(i)));
  expect([result.created, result.messages]).toEqual([100, []]);
  expect(result.reads.filter(ofDenied).map(({ operation }) => operation)).toEqual(['Query']);
  expect(result.reads.filter(({ operation }) => operation === 'BatchGetItem')).toHaveLength(5);
  expect((await create([widest(100)])).reads.filter(ofDenied)).toEqual([]);
});

test('links with faults of their own are not looked up', async () => {
  const expiresAt = '2020-01-01T00:00:00Z';
  const result = await create(Array.from({ length: 100 }, (_, i) => widest(i, { expiresAt })));
  expect([result.created, new Set(result.messages)]).toEqual([
    0,
    new Set(['expiresAt: must be in the future']),
  ]);
  expect(result.reads.map(({ operation }) => operation)).toEqual(['GetItem']);
});

describe('a new container', () => {
  let before: typeof handler;
  beforeEach(async () => {
    jest.resetModules();
    before = handler;
    ({ handler } = await import('../../lambdas/api/create-links.ts'));
  });
  afterEach(() => {
    isUnreadable = () => false;
    handler = before;
  });

  test('creates links though it can not read blocked hosts', async () => {
    isUnreadable = ofDenied;
    expect(await create([widest(1)])).toMatchObject({ created: 1, messages: [] });
  });

  test('creates no links while it can not read suspended projects', async () => {
    isUnreadable = ofSuspended;
    const call = { method: 'POST', path: '/links/bulk', body: { links: [widest(1)] }, project };
    const { status, body } = await callApi(handler, call);
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    isUnreadable = () => false;
    // On a busy machine a read may have got no response; then reads fail at once for up to two seconds.
    await eventually(
      () => callApi(handler, call),
      ({ status }) => status === 200,
    );
  });
});
