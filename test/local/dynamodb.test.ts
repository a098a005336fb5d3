import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ExecuteStatementCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { PolicyStatement, TableResource } from '../../local/assembly.ts';
import { type Engine, startEngine } from '../../local/dynamodb/engine.ts';
import { type EngineClient, engineClient } from '../../local/dynamodb/engine-client.ts';
import { startTableGateway, type TableGateway } from '../../local/dynamodb/gateway.ts';
import { openServiceDeletes } from '../../local/dynamodb/service-deletes.ts';
import { trim } from '../../local/dynamodb/stream-file.ts';
import { ensureTables } from '../../local/dynamodb/tables.ts';
import { startTtlSweeper } from '../../local/dynamodb/ttl.ts';

const keys = [
  { AttributeName: 'PK', KeyType: 'HASH' },
  { AttributeName: 'SK', KeyType: 'RANGE' },
];
const aTable = (name: string, changes: object = {}): TableResource => ({
  id: `${name}Resource`,
  name,
  arn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`,
  ttlAttribute: 'ttl',
  properties: {
    KeySchema: keys,
    AttributeDefinitions: ['PK', 'SK', 'owner'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-owner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    ...changes,
  },
});
const key = (id: string) => ({ PK: { S: id }, SK: { S: 'x' } });

let engine: Engine;
let client: EngineClient;
const folders: string[] = [];
const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-test-'));
  folders.push(folder);
  return folder;
};

beforeAll(async () => {
  engine = await startEngine({ engine: 'dynoxide' });
  client = engineClient(engine.endpoint);
});

afterAll(async () => {
  client.close();
  await engine.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the engine', () => {
  test('keeps its data over a restart, and the stream with its numbers', async () => {
    const data = aFolder();
    const arns: (string | undefined)[] = [];
    const numbers: string[][] = [];
    for (const id of ['a', 'b']) {
      const kept = await startEngine({ engine: 'dynoxide', data });
      const caller = engineClient(kept.endpoint);
      arns.push((await ensureTables(kept.endpoint, [aTable('Kept')])).get('KeptResource'));
      await caller.call('PutItem', { TableName: 'Kept', Item: key(id) });
      numbers.push(await streamNumbers(caller, arns[0] ?? ''));
      caller.close();
      await kept.stop();
    }
    expect(arns[1]).toBe(arns[0]);
    expect(numbers).toEqual([['1'], ['1', '2']]);
  });

  test('loses no acknowledged write to kill -9 of everything, and leaves no process', async () => {
    const data = aFolder();
    const writer = spawn(process.execPath, [join(import.meta.dirname, 'dynamodb-endless-writer.ts'), data]);
    const lines = createInterface({ input: writer.stdout });
    let acknowledged = 0;
    for await (const line of lines) {
      acknowledged = Number(line);
      if (acknowledged === 100) break;
    }
    const { enginePid } = JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8'));
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    await until(() => !isAlive(enginePid));

    const again = await startEngine({ engine: 'dynoxide', data });
    const caller = engineClient(again.endpoint);
    const { Item } = await caller.call<{ Item: { n: { N: string } } }>('GetItem', {
      TableName: 'Written',
      Key: { PK: { S: 'counter' } },
    });
    expect(Number(Item.n.N)).toBeGreaterThanOrEqual(acknowledged);
    caller.close();
    await again.stop();
  });

  test('ends an engine that a killed stack left behind', async () => {
    const data = aFolder();
    const left = await startEngine({ engine: 'dynoxide', data });
    const owner = JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8'));
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    writeFileSync(join(data, 'engine.json'), JSON.stringify({ ...owner, pid: dead.pid }));
    const next = await startEngine({ engine: 'dynoxide', data });
    await expect(left.died).resolves.toContain('ended unexpectedly');
    await next.stop();
  });

  test('does not touch a process that only has the id of the old engine', async () => {
    const data = aFolder();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    writeFileSync(join(data, 'engine.json'), JSON.stringify({ pid: dead.pid, enginePid: bystander.pid }));
    const next = await startEngine({ engine: 'dynoxide', data });
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    bystander.kill();
    await next.stop();
  });

  test('refuses a folder that another running stack uses', async () => {
    const data = aFolder();
    const other = await startEngine({ engine: 'dynoxide', data });
    const owner = JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8'));
    writeFileSync(join(data, 'engine.json'), JSON.stringify({ ...owner, pid: process.ppid }));
    await expect(startEngine({ engine: 'dynoxide', data })).rejects.toThrow('Another local stack');
    await other.stop();
  });

  test('names what is wrong with a broken data folder in one line', async () => {
    const data = aFolder();
    writeFileSync(join(data, 'dynamodb.sqlite'), 'this is no database, it only looks like one'.repeat(100));
    const error = await startEngine({ engine: 'dynoxide', data }).catch(String);
    expect(error).toContain(data);
    expect(error).not.toContain('\n');
    const file = join(data, 'file');
    writeFileSync(file, '');
    await expect(startEngine({ engine: 'dynoxide', data: file })).rejects.toThrow("can't be written");
  });

  test('tells when it dies', async () => {
    const data = aFolder();
    const dying = await startEngine({ engine: 'dynoxide', data });
    process.kill(JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8')).enginePid, 'SIGKILL');
    await expect(dying.died).resolves.toContain('dynoxide');
    await dying.stop();
  });

  test('may run elsewhere', async () => {
    const elsewhere = await startEngine({ engine: `http://${new URL(engine.endpoint).host}` });
    expect(elsewhere.endpoint).toBe(engine.endpoint);
    await elsewhere.stop();
    await expect(startEngine({ engine: 'http://127.0.0.1:9' })).rejects.toThrow('No DynamoDB endpoint');
  });

  test('trims stream records after a day, but never the last, which carries the numbers on', async () => {
    const data = aFolder();
    const kept = await startEngine({ engine: 'dynoxide', data });
    const caller = engineClient(kept.endpoint);
    const arn = (await ensureTables(kept.endpoint, [aTable('Trimmed')])).get('TrimmedResource') ?? '';
    for (const id of ['a', 'b', 'c']) await caller.call('PutItem', { TableName: 'Trimmed', Item: key(id) });
    trim(join(data, 'dynamodb.sqlite'), Date.now() + 25 * 60 * 60 * 1000);
    await caller.call('PutItem', { TableName: 'Trimmed', Item: key('d') });
    expect(await streamNumbers(caller, arn)).toEqual(['3', '4']);
    caller.close();
    await kept.stop();
  });

  test('finds the last stream record by an index', async () => {
    const data = aFolder();
    const kept = await startEngine({ engine: 'dynoxide', data });
    await kept.stop();
    const database = new DatabaseSync(join(data, 'dynamodb.sqlite'));
    const [plan] = database
      .prepare(
        "EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 't'",
      )
      .all();
    database.close();
    expect(plan?.detail).toContain('USING COVERING INDEX stream_order');
  });

  test('does without the index where the engine keeps its records otherwise', () => {
    const file = join(aFolder(), 'other.sqlite');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE something_else(id INTEGER)');
    database.close();
    expect(() => trim(file)).not.toThrow();
    expect(() => trim(join(file, 'nowhere'))).not.toThrow();
  });
});

describe('tables', () => {
  test('are created as the template has them, once', async () => {
    const first = await ensureTables(engine.endpoint, [aTable('Created')]);
    const second = await ensureTables(engine.endpoint, [aTable('Created')]);
    expect(first.get('CreatedResource')).toContain(':table/Created/stream/');
    expect(second).toEqual(first);
    const { TimeToLiveDescription } = await client.call<{ TimeToLiveDescription: object }>(
      'DescribeTimeToLive',
      {
        TableName: 'Created',
      },
    );
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  });

  test.each([
    ['keys', { KeySchema: keys.slice(0, 1) }],
    ['indexes', { GlobalSecondaryIndexes: [] }],
    ['stream', { StreamSpecification: undefined }],
    ['stream view', { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } }],
  ])('that have other %s than the template are refused', async (_, change) => {
    await ensureTables(engine.endpoint, [aTable('Changed')]);
    await expect(ensureTables(engine.endpoint, [aTable('Changed', change)])).rejects.toThrow(
      'another --data folder',
    );
  });
});

describe('the table gateway', () => {
  const table = aTable('Guarded');
  let gateway: TableGateway | undefined;
  const callAs = async (statements: readonly PolicyStatement[], operation: string, input: object) => {
    gateway = await startTableGateway({
      endpoint: engine.endpoint,
      principals: new Map([['local', { name: 'Role', statements }]]),
      tables: [table],
      enforce: true,
    });
    const caller = engineClient(gateway.endpoint);
    return caller
      .call(operation, input)
      .then(() => 'allowed')
      .catch((error) => `${error.name}: ${error.message}`)
      .finally(() => caller.close());
  };
  beforeAll(() => ensureTables(engine.endpoint, [table]));
  afterEach(() => gateway?.stop());

  const TableName = 'Guarded';
  const byOwner = {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': { S: 'me' } },
  };
  const update = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } };
  const check = { ConditionExpression: 'attribute_not_exists(nothing)' };
  test.each<[string, object, readonly string[], string]>([
    ['GetItem', { TableName, Key: key('a') }, ['GetItem'], ''],
    ['PutItem', { TableName, Item: key('a') }, ['PutItem'], ''],
    ['UpdateItem', { TableName, Key: key('a'), ...update }, ['UpdateItem'], ''],
    ['DeleteItem', { TableName, Key: key('a') }, ['DeleteItem'], ''],
    ['Scan', { TableName }, ['Scan'], ''],
    ['DescribeTable', { TableName }, ['DescribeTable'], ''],
    ['Query', byOwner, ['Query'], '/index/by-owner'],
    ['BatchGetItem', { RequestItems: { Guarded: { Keys: [key('a')] } } }, ['BatchGetItem'], ''],
    [
      'BatchWriteItem',
      { RequestItems: { Guarded: [{ PutRequest: { Item: key('a') } }] } },
      ['BatchWriteItem'],
      '',
    ],
    ['TransactGetItems', { TransactItems: [{ Get: { TableName, Key: key('a') } }] }, ['GetItem'], ''],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: key('p') } },
          { Update: { TableName, Key: key('u'), ...update } },
          { Delete: { TableName, Key: key('d') } },
          { ConditionCheck: { TableName, Key: key('c'), ...check } },
        ],
      },
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      '',
    ],
  ])('lets %s pass with exactly its permissions', async (operation, input, actions, suffix) => {
    const Resource = table.arn + suffix;
    const grant = (granted: readonly string[]): PolicyStatement[] => [
      { Effect: 'Allow', Action: granted.map((action) => `dynamodb:${action}`), Resource },
    ];
    expect(await callAs(grant(actions), operation, input)).toBe('allowed');
    await gateway?.stop();
    for (const missing of actions) {
      const rest = actions.filter((action) => action !== missing);
      expect(await callAs(grant([...rest, 'ListTables']), operation, input)).toBe(
        `AccessDeniedException: User: arn:aws:sts::123456789012:assumed-role/Role/Role is not authorized to perform: dynamodb:${missing} on resource: ${Resource} because no identity-based policy allows the dynamodb:${missing} action`,
      );
      await gateway?.stop();
    }
  });

  test('tells an index from its table', async () => {
    const onTable: PolicyStatement[] = [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: table.arn }];
    expect(await callAs(onTable, 'Query', byOwner)).toContain('AccessDeniedException');
  });

  test('lets a denial win', async () => {
    const statements: PolicyStatement[] = [
      { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' },
      { Effect: 'Deny', Action: 'dynamodb:Scan', Resource: table.arn },
    ];
    expect(await callAs(statements, 'Scan', { TableName })).toContain(
      'with an explicit deny in an identity-based policy',
    );
  });

  test('applies conditions on leading keys', async () => {
    const own: PolicyStatement[] = [
      {
        Effect: 'Allow',
        Action: 'dynamodb:GetItem',
        Resource: table.arn,
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['mine-*'] } },
      },
    ];
    expect(await callAs(own, 'GetItem', { TableName, Key: key('mine-1') })).toBe('allowed');
    await gateway?.stop();
    expect(await callAs(own, 'GetItem', { TableName, Key: key('yours-1') })).toContain(
      'AccessDeniedException',
    );
  });

  test('lets a caller that is no principal do anything, and observes every permission of the others', async () => {
    const seen: object[] = [];
    gateway = await startTableGateway({
      endpoint: engine.endpoint,
      principals: new Map([['AKIAROLE', { name: 'Role', statements: [] }]]),
      tables: [table],
      enforce: true,
      observe: (call) => seen.push(call),
    });
    const sdk = (accessKeyId: string) =>
      new DynamoDBClient({
        endpoint: gateway?.endpoint ?? '',
        region: 'eu-central-1',
        credentials: { accessKeyId, secretAccessKey: 'secret' },
      });
    const put = new PutItemCommand({ TableName, Item: key('sdk') });
    const [operator, role] = [sdk('operator'), sdk('AKIAROLE')];
    await operator.send(put);
    await expect(role.send(put)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('dynamodb:PutItem'),
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    await expect(
      role.send(new ExecuteStatementCommand({ Statement: 'SELECT * FROM "Guarded"' })),
    ).rejects.toThrow('PartiQL');
    expect(seen).toEqual([{ principal: 'Role', action: 'dynamodb:PutItem', resource: table.arn }]);
    operator.destroy();
    role.destroy();
  });
});

describe('the TTL sweeper', () => {
  const now = Math.floor(Date.now() / 1000);
  const put = (name: string, id: string, ttl: object) =>
    client.call('PutItem', { TableName: name, Item: { ...key(id), ttl } });
  const idsLeft = async (name: string) => {
    const { Items } = await client.call<{ Items: { PK: { S: string } }[] }>('Scan', { TableName: name });
    return Items.map(({ PK }) => PK.S).sort();
  };

  test('removes what has expired and nothing else', async () => {
    const table = aTable('Swept');
    await ensureTables(engine.endpoint, [table]);
    await put('Swept', 'past', { N: String(now - 10) });
    await put('Swept', 'future', { N: String(now + 1000) });
    await put('Swept', 'long past', { N: String(now - 6 * 365 * 24 * 3600) });
    await put('Swept', 'milliseconds', { N: String(now * 1000) });
    await put('Swept', 'text', { S: String(now - 10) });
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, tables: [table], intervalMs: 1e6 });
    expect(await sweeper.sweepOnce()).toBe(1);
    expect(await idsLeft('Swept')).toEqual(['future', 'long past', 'milliseconds', 'text']);
    await sweeper.stop();
  });

  test('waits for the delay', async () => {
    const table = aTable('Delayed');
    await ensureTables(engine.endpoint, [table]);
    await put('Delayed', 'a', { N: String(now - 10) });
    let clock = now * 1000;
    const options = { tables: [table], intervalMs: 1e6, delayMs: 60_000, now: () => clock };
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, ...options });
    expect(await sweeper.sweepOnce()).toBe(0);
    clock += 60_000;
    expect(await sweeper.sweepOnce()).toBe(1);
    await sweeper.stop();
  });

  test('spares an item whose time is moved while it sweeps', async () => {
    const table = aTable('Moved');
    await ensureTables(engine.endpoint, [table]);
    await put('Moved', 'a', { N: String(now - 10) });
    const deletes = openServiceDeletes();
    const sweeper = startTtlSweeper({
      endpoint: engine.endpoint,
      tables: [table],
      intervalMs: 1e6,
      serviceDeletes: {
        ...deletes,
        make: async (removals, remove) => {
          await put('Moved', 'a', { N: String(now + 1000) });
          return deletes.make(removals, remove);
        },
      },
    });
    expect(await sweeper.sweepOnce()).toBe(0);
    expect(await idsLeft('Moved')).toEqual(['a']);
    await sweeper.stop();
  });

  test('sweeps by itself', async () => {
    const table = aTable('Background');
    await ensureTables(engine.endpoint, [table]);
    await put('Background', 'a', { N: String(now - 10) });
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, tables: [table], intervalMs: 5 });
    await until(async () => (await idsLeft('Background')).length === 0);
    await sweeper.stop();
  });
});

describe('the journal of service deletes', () => {
  const removal = { table: 'T', keys: { PK: { S: 'a' } }, ttl: '1' };
  const second = () => Math.floor(Date.now() / 1000);

  test('survives a restart', async () => {
    const file = join(aFolder(), 'journal');
    await openServiceDeletes(file).make([removal], async () => true);
    const reopened = openServiceDeletes(file);
    expect(await reopened.includes(removal, second())).toBe(true);
    expect(await reopened.includes({ ...removal, ttl: '2' }, second())).toBe(false);
    expect(await reopened.includes(removal, second() + 1000)).toBe(false);
  });

  test('counts a removal that was cut short between delete and answer', async () => {
    const file = join(aFolder(), 'journal');
    void openServiceDeletes(file).make([removal], () => new Promise(() => undefined));
    expect(await openServiceDeletes(file).includes(removal, second())).toBe(true);
  });

  test('does not claim what someone else removed first', async () => {
    const file = join(aFolder(), 'journal');
    const journal = openServiceDeletes(file);
    const made = journal.make([removal], async () => false);
    expect(await journal.includes(removal, second())).toBe(false);
    await made;
    expect(await openServiceDeletes(file).includes(removal, second())).toBe(false);
  });
});

async function streamNumbers(caller: EngineClient, arn: string): Promise<string[]> {
  const { StreamDescription } = await caller.call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn: arn },
  );
  const { ShardIterator } = await caller.call<{ ShardIterator: string }>('GetShardIterator', {
    StreamArn: arn,
    ShardId: StreamDescription.Shards[0]?.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await caller.call<{ Records: { dynamodb: { SequenceNumber: string } }[] }>(
    'GetRecords',
    {
      ShardIterator,
    },
  );
  return Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
