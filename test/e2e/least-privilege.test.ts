import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { makeShareKey } from '../../core/share-links/share-keys.ts';
import { connect, serviceAccess } from '../../core/table/connection.ts';
import {
  apiKeyKey,
  apiKeyListing,
  linkKey,
  type Partition,
  partitions,
  tableSchema,
} from '../../core/table/keys.ts';
import { clickQueue } from '../../core/visits/click-queue.ts';
import { clickWrite } from '../../core/visits/click-store.ts';
import { assemble } from '../../dev/app.ts';
import type { JsonService } from '../../local/base/json-service.ts';
import { policyOf } from '../../local/iam/policy.ts';
import { type LocalStack, startStack } from '../../local/stack.ts';
import { type ObservedCall, startTableGateway } from '../../local/table-gateway/gateway.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { openDeployment } from '../../ops/deployment/deployment.ts';
import { localAccess, localServices } from '../../ops/deployment/service-access.ts';
import { checks } from '../../ops/smoke/checks.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession, type SmokeSession } from '../../ops/smoke/session.ts';
import { androidApp } from '../support/api.ts';
import { aClick, aWebhook } from '../support/builders.ts';
import { eventually, prodContext } from '../support/local-stack.ts';
import { sendRaw } from '../support/raw-request.ts';

/** Under the strict reading of roles in transactions; all other tests run under the other one. */
let stack: LocalStack;
/** The calls made, as `function action table`, with the partition keys they named. */
const used = new Map<string, Set<string>>();
const note = ({ principal, action, resource, leadingKeys }: ObservedCall) => {
  const call = `${principal} ${action} ${resource}`;
  used.set(call, new Set([...(used.get(call) ?? []), ...[leadingKeys ?? []].flat()]));
};

beforeAll(async () => {
  stack = await startStack({
    assembly: await assemble(prodContext),
    apiPort: 0,
    distributionPort: 0,
    engine: 'sqlite',
    log: () => undefined,
    leadingKeys: 'request',
    observe: note,
  });
});
let isOver = false;
afterAll(async () => {
  isOver = true;
  await stack?.stop();
});

const session = (): Promise<SmokeSession> => {
  const { ApiBaseUrl = '', ShortBaseUrl = '', TableName = '' } = stack.outputs;
  const outputs = { ApiBaseUrl, ShortBaseUrl, TableName };
  return openSession(openDeployment(outputs, localServices({ dynamodb: stack.endpoint })), {
    pauseSeconds: 0,
  });
};

interface Granted {
  readonly call: string;
  /** The pattern of partition keys, of one kind of items. */
  readonly keys: string;
}

const granted = (): Granted[] =>
  stack.assembly.functions.flatMap(({ id, statements }) =>
    statements.flatMap(({ Action = [], Resource = [], Condition }) =>
      [Action]
        .flat()
        .filter((action) => action.startsWith('dynamodb:'))
        .flatMap((action) =>
          [Resource]
            .flat()
            // Streams are read by Lambda itself.
            .filter((resource) => resource !== '*' && !resource.includes('/stream/'))
            .flatMap((resource) =>
              keysIn(Condition).map((keys) => ({ call: `${id} ${action} ${resource}`, keys })),
            ),
        ),
    ),
  );

const keysIn = (condition: unknown): string[] => {
  const [[test, values] = []] = Object.entries(condition ?? {});
  expect(test).toBe('ForAllValues:StringLike');
  return [values['dynamodb:LeadingKeys']].flat();
};

/** A write may be granted on items of other writes in the function's transactions. */
const isUsed = ({ call, keys }: Granted): boolean => {
  const start = keys.replace(/\*$/, '');
  const [id, action = '', table] = call.split(' ');
  const alike = writes.includes(action) ? writes.map((write) => `${id} ${write} ${table}`) : [call];
  return (
    used.has(call) && alike.flatMap((one) => [...(used.get(one) ?? [])]).some((key) => key.startsWith(start))
  );
};
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
  (action) => `dynamodb:${action}`,
);

/** Creates a link that expires, and waits until its expiry is stored. */
const letExpire = async ({ api, newCode }: SmokeSession): Promise<void> => {
  const create = async (inMs: number): Promise<void> => {
    const expiresAt = new Date(Date.now() + inMs).toISOString();
    const body = { code: newCode(), payload: { link: 'https://example.com/' }, expiresAt };
    const { status } = await api('POST', '/links', { body });
    // On a busy machine the expiry may have passed.
    if (status === 400 && inMs < 60_000) await create(inMs * 2);
    else expect(status).toBe(201);
  };
  await create(1500);
  await eventuallyUsed((call) => call.startsWith('ClicksExpireLinks'));
};

const eventuallyUsed = async (isIt: (call: string) => boolean): Promise<void> => {
  while (![...used.keys()].some(isIt) && !isOver) await new Promise((resolve) => setTimeout(resolve, 50));
};

/** A click by way of the queue, as if the table had refused it. */
const overflow = async ({ project, code }: { project: string; code: string }): Promise<void> => {
  const { environment } =
    stack.assembly.functions.find(({ id }) => id.startsWith('ShortLinksRedirect')) ?? {};
  const operator = { AWS_ACCESS_KEY_ID: 'operator', AWS_SECRET_ACCESS_KEY: 'local' };
  const access = serviceAccess({ ...operator, AWS_ENDPOINT_URL_SQS: stack.sqsEndpoint ?? '' }, 'sqs');
  const enqueueClick = clickQueue(() => connect(access), environment?.CLICK_QUEUE_URL ?? '');
  await enqueueClick({ write: clickWrite(aClick({ project, code, at: new Date() })), isSure: true });
  await eventuallyUsed((call) => /^ClickQueue.* dynamodb:UpdateItem/.test(call));
};

/** Delivers the creation of a link once more, twice. */
const tellAgain = async (project: string, code: string): Promise<void> => {
  const client = new DynamoDBClient(localAccess(stack.endpoint));
  const { PK, SK } = linkKey(project, code);
  const Keys = { PK: { S: PK }, SK: { S: SK } };
  const { Item } = await client.send(new GetItemCommand({ TableName: stack.outputs.TableName, Key: Keys }));
  client.destroy();
  const ApproximateCreationDateTime = Date.now() / 1000;
  const dynamodb = { Keys, NewImage: Item, SequenceNumber: '1', ApproximateCreationDateTime };
  const event = { Records: [{ eventName: 'INSERT', eventSourceARN: 'again', dynamodb }] };
  const { id } = stack.assembly.functions.find((one) => one.id.startsWith('ClicksExpireLinks')) ?? { id: '' };
  for (let i = 0; i < 2; i += 1)
    expect(await stack.invoke(id, event)).toMatchObject({ ok: true, payload: { batchItemFailures: [] } });
};

/** Smoke leaves out saved apps, analytics, share links, addresses for apps, and a custom host's files. */
const useTheRest = async ({
  api,
  createKey,
  newCode,
  project,
  shortBase,
  stores,
}: SmokeSession): Promise<void> => {
  const { apiKey: secret } = await createKey();
  const call = async (method: string, path: string, body?: object, key = secret) => {
    const { status, text, json } = await api(method, path, { key, ...(body && { body }) });
    expect([path, status, text.slice(0, 200)]).toEqual([
      path,
      status < 300 ? status : 200,
      text.slice(0, 200),
    ]);
    return json;
  };
  const store = 'https://play.google.com/store/apps/details?id=com.example.rest';
  // No server is there; a delivery that fails takes the same rights.
  await stores.webhooks.create(
    aWebhook({ project, url: 'https://127.0.0.1:1/', createdAt: new Date().toISOString() }),
  );
  const link = { code: newCode(), tags: ['rest'], payload: { link: 'https://example.com/' } };
  await call('POST', '/links/bulk?validateOnly=true', { links: [link] });
  const { data: app } = await call('POST', '/mobile-apps', { ...androidApp, playStoreFallback: store });
  await call('PUT', `/mobile-apps/${app.id}`, { playStoreFallback: `${store}&hl=de` });
  const code = newCode();
  const payload = { link: 'https://example.com/', androidAppId: app.id };
  const keyCall = { project, now: new Date(), shortHosts: [], createdBy: 'test' };
  const { share } = await makeShareKey({ payload }, keyCall, stores);
  // The project's first link, and the same again.
  await call('POST', '/share-links', {}, share?.apiKey);
  const { data: shared } = await call('POST', '/share-links', {}, share?.apiKey);
  await call('GET', `/links/${shared.code}`);
  await call('PUT', `/links/${shared.code}/status`, { status: 'PAUSED' });
  await call('POST', '/links', { code, payload });
  await tellAgain(project, code);
  await call('PUT', `/links/${code}`, { payload });
  await call('POST', '/links/bulk', { links: [{ payload, tags: ['bulk'] }] });
  await call('POST', '/links/bulk?validateOnly=true', { links: [{ code, payload }] });
  const tagged = newCode();
  await call('POST', '/links', { code: tagged, payload, tags: ['created'] });
  await call('PUT', `/links/${tagged}`, { payload, tags: ['updated'] });
  await call('GET', '/links?tag=updated');
  await call('PUT', '/qr-style', { level: 'Q' });
  await call('GET', '/qr-style');
  const entries = () => call('GET', `/history?code=${tagged}`);
  const { data: history } = await eventually(entries, ({ data }) => data.length > 1);
  await call('GET', `/history?code=${tagged}&id=${history[0].id}`);
  await call('DELETE', `/links/${tagged}`);
  for (const query of ['', `code=${code}`, 'groupBy=links', `groupBy=excluded&code=${code}`, 'interval=all'])
    await call('GET', `/analytics?${query}`);
  const host = 'rest.example.test';
  expect(
    await stores.domains.assign({ host, project, notFound: 'https://acme.example.com/help?a=1&b=2' }),
  ).toBe(true);
  const headers = { Host: host, 'User-Agent': userAgents.android };
  for (const path of ['', '?d=1', '/qr.png', '/link.json', '/open.json?platform=android']) {
    const { status } = await sendRaw(`${shortBase}/${code}${path}`, { headers });
    expect([path, status < 400]).toEqual([path, true]);
  }
  await sendRaw(`${shortBase}/.well-known/assetlinks.json`, { headers });
  await overflow({ project, code });
  // The names of links are read only once a click is counted.
  while ((await call('GET', '/analytics?groupBy=links')).data.length === 0);
  // A click that comes late sums its day.
  const late = { visitor: 'somebody-late', at: new Date(Date.now() - 2 * 86_400_000) };
  await stores.clicks.record(clickWrite(aClick({ project, code, ...late })));
  await eventuallyUsed((call) => call.startsWith('ClicksAggregateClicks') && call.includes('PutItem'));
  await eventuallyUsed((call) => call.startsWith('WebhooksSendEvents') && call.includes('DeleteItem'));
};

test('the whole service uses every grant that its functions have on the table', async () => {
  const { stores, project } = await session();
  const host = 'onward.example.test';
  await stores.domains.assign({ host, project, notFound: 'https://acme.example.com/help?a=1&b=2' });
  const [outcomes] = await Promise.all([runChecks(checks, await session()), letExpire(await session())]);
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([]);
  await useTheRest(await session());
  expect(granted().filter((grant) => !isUsed(grant))).toEqual([]);
});

describe('API keys', () => {
  let gateway: JsonService;
  beforeAll(async () => {
    const principals = new Map(
      stack.assembly.functions.map(({ id, statements }) => [id, { name: id, statements }]),
    );
    const { endpoint, tables } = stack;
    gateway = await startTableGateway({ engine: endpoint, principals, tables, enforce: true });
  });
  afterAll(() => gateway?.stop());

  /** Every call that writes an item, and every call that reads one. */
  const attempts = (TableName: string) => {
    const { PK, SK } = apiKeyKey('key-000000000000000000000000');
    const Key = { PK: { S: PK }, SK: { S: SK } };
    const ofAnother = { PK: { S: 'LINK#acme#launch' }, SK: { S: 'LINK' } };
    const Update = {
      TableName,
      Key,
      UpdateExpression: 'SET #p = :p',
      ExpressionAttributeNames: { '#p': 'project' },
      ExpressionAttributeValues: { ':p': { S: 'demo' } },
    };
    const values = { ':k': { S: PK } };
    return {
      writes: [
        new PutItemCommand({ TableName, Item: Key }),
        new UpdateItemCommand(Update),
        new DeleteItemCommand({ TableName, Key }),
        new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] } }),
        new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: Key } }] }),
        new TransactWriteItemsCommand({ TransactItems: [{ Update }] }),
        new ExecuteStatementCommand({ Statement: `INSERT INTO "${TableName}" VALUE {'PK': '${PK}'}` }),
      ],
      reads: [
        new GetItemCommand({ TableName, Key }),
        new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [ofAnother, Key] } } }),
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :k',
          ExpressionAttributeValues: values,
        }),
        new QueryCommand({
          TableName,
          IndexName: tableSchema.listings.name,
          KeyConditionExpression: 'LPK = :k',
          ExpressionAttributeValues: { ':k': { S: apiKeyListing('demo', '', '').LPK } },
        }),
        new ScanCommand({ TableName }),
        new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
      ],
    };
  };

  test('cannot be written by any function, and only two can read them', async () => {
    const { writes, reads } = attempts(stack.outputs.TableName ?? '');
    for (const { id } of stack.assembly.functions) {
      const client = new DynamoDBClient({
        endpoint: gateway.endpoint,
        region: 'us-east-1',
        credentials: { accessKeyId: id, secretAccessKey: 'any' },
      });
      const outcomes = await Promise.all(
        [...writes, ...reads].map((command) =>
          client.send(command as GetItemCommand).then(
            () => `${id} did ${command.constructor.name}`,
            (error: Error) => error.name,
          ),
        ),
      );
      client.destroy();
      const refused = outcomes.map(() => 'AccessDeniedException');
      // The second one reads its key's template.
      const readsKeys = /^Api(?:Authorize|CreateShareLink)Function/.test(id);
      // The first and the last read need the permission that both have.
      const allowed = [writes.length, writes.length + reads.length - 1];
      if (readsKeys) for (const i of allowed) refused[i] = outcomes[i] ?? '';
      expect([id, outcomes]).toEqual([id, refused]);
      if (readsKeys) expect(outcomes[writes.length]).toBe(`${id} did GetItemCommand`);
    }
    expect(stack.assembly.functions.length).toBeGreaterThan(10);
  });
});

describe('a stolen function', () => {
  /** The kinds of items that a role may write, of any project. */
  const writable = ({ id, statements }: LocalStack['assembly']['functions'][number]): Partition[] => {
    const policy = policyOf({ name: id, statements });
    const [table] = stack.assembly.tables;
    const mayWrite = (kind: Partition) =>
      ['PutItem', 'UpdateItem', 'DeleteItem'].some((action) => {
        const leadingKeys = [`${partitions[kind]}${partitions[kind].endsWith('#') ? 'victim#launch' : ''}`];
        const call = { action: `dynamodb:${action}`, resource: table?.arn ?? '', leadingKeys };
        return policy({ ...call, attributes: ['PK', 'SK'] }).kind === 'allowed';
      });
    return (Object.keys(partitions) as Partition[]).filter(mayWrite).sort();
  };
  const isOfApi = (id: string) => id.startsWith('Api') && !id.startsWith('ApiAuthorize');

  test("functions that visitors reach can't write links, projects, hosts or takedowns", () => {
    const others = stack.assembly.functions.filter(({ id }) => !isOfApi(id));
    const kinds = others.map((one) => [one.id.replace(/Function[0-9A-F]{8}$/, ''), writable(one)]);
    expect(Object.fromEntries(kinds.filter(([, found]) => found?.length))).toEqual({
      ApiAuthorize: ['keyUse'],
      ClickQueueRecordClicks: ['visitor'],
      // Analytics of links, expiry and history are written next to the links. No outside caller reaches these two.
      ClicksAggregateClicks: ['link', 'series'],
      ClicksExpireLinks: ['delivery', 'event', 'history', 'link'],
      ShortLinksAppLink: ['visitor'],
      ShortLinksRedirect: ['excluded', 'visitor'],
      // It can't change where a webhook leads.
      WebhooksSendEvents: ['delivery', 'webhookState', 'webhookTurns'],
    });
  });

  test("functions of the API can't write keys, hosts, takedowns or analytics", () => {
    const ofApi = stack.assembly.functions.filter(({ id }) => isOfApi(id));
    const written = new Set(ofApi.flatMap(writable));
    const own = ['code', 'idempotency', 'link', 'linkList', 'project', 'rate', 'share', 'tagged'];
    expect([...written].sort()).toEqual(own);
  });
});

test('messages are put into queues, and taken out of them, by as few functions as need to', () => {
  const rights = stack.assembly.functions.flatMap(({ id, statements }) =>
    statements.flatMap(({ Action = [] }) =>
      [Action]
        .flat()
        .filter((action) => action.startsWith('sqs:'))
        .map((action) => `${id.replace(/Function[0-9A-F]{8}$/, '')} ${action}`),
    ),
  );
  expect(rights.sort()).toEqual(
    [
      ...'ChangeMessageVisibility DeleteMessage GetQueueAttributes GetQueueUrl ReceiveMessage'
        .split(' ')
        .flatMap((action) =>
          ['ClickQueueRecordClicks', 'WebhooksSendEvents'].map((id) => `${id} sqs:${action}`),
        ),
      'ClicksExpireLinks sqs:SendMessage',
      'ShortLinksAppLink sqs:SendMessage',
      'ShortLinksRedirect sqs:SendMessage',
      'WebhooksSendEvents sqs:SendMessage',
    ].sort(),
  );
});

test('functions have only the grants checked above', () => {
  const actions = stack.assembly.functions.flatMap(({ statements }) =>
    statements.flatMap(({ Action = [], Effect }) => [Action].flat().map((action) => `${Effect} ${action}`)),
  );
  const known =
    /^Allow (?:dynamodb:\w+|logs:(?:CreateLogStream|PutLogEvents)|xray:Put\w+|s3:(?:PutObject|ListBucket)|sqs:\w+)$/;
  expect(actions.filter((action) => !known.test(action))).toEqual([]);
  expect(actions.length).toBeGreaterThan(0);
});
