import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { ensureTables } from '../../tables/tables.ts';
import { newFolder } from '../folder.ts';
import { aTable, client, engine, key } from '../tables/table.ts';

const script = join(import.meta.dirname, 'endless-writer.ts');
const startWriter = (data: string, ...more: string[]) => spawn(process.execPath, [script, data, ...more]);

/** The number that the writer wrote last. */
const written = async (data: string): Promise<number> => {
  const again = await startEngine({ engine: 'sqlite', data });
  const caller = engineClient(again.endpoint);
  const Key = { PK: { S: 'counter' } };
  const { Item } = await caller.call<{ Item: { n: { N: string } } }>('GetItem', {
    TableName: 'Written',
    Key,
  });
  caller.close();
  await again.stop();
  return Number(Item.n.N);
};

/** The last number that a writer prints, what it writes to standard error, and its exit code. */
const endOf = async (writer: ReturnType<typeof startWriter>) => {
  let [printed, failure] = ['', ''];
  writer.stdout.on('data', (text) => {
    printed += text;
  });
  writer.stderr.on('data', (text) => {
    failure += text;
  });
  const [code] = await once(writer, 'close');
  return { last: Number(printed.trim().split('\n').at(-1)), failure, code };
};

const untilNumber = async (writer: ReturnType<typeof startWriter>, last: number) => {
  for await (const line of createInterface({ input: writer.stdout })) if (Number(line) >= last) break;
};

describe('the engine', () => {
  test('keeps its data, stream and sequence numbers over a restart', async () => {
    const data = newFolder();
    const arns: (string | undefined)[] = [];
    const numbers: string[][] = [];
    for (const id of ['a', 'b']) {
      const kept = await startEngine({ engine: 'sqlite', data });
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

  test('refuses a transaction whose token was that of another', async () => {
    await ensureTables(engine.endpoint, [aTable('Tokens')]);
    const put = (id: string) =>
      client.call('TransactWriteItems', {
        ClientRequestToken: 'one',
        TransactItems: [{ Put: { TableName: 'Tokens', Item: key(id) } }],
      });
    await put('a');
    await put('a');
    await expect(put('b')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  });

  test('returns 16 MB of a batch, and the other keys', async () => {
    const RequestItems = { Batch: { Keys: Array.from({ length: 45 }, (_, i) => key(String(i))) } };
    await ensureTables(engine.endpoint, [aTable('Batch')]);
    const text = { S: 'x'.repeat(390 * 1024) };
    for (const one of RequestItems.Batch.Keys)
      await client.call('PutItem', { TableName: 'Batch', Item: { ...one, text } });
    const { Responses, UnprocessedKeys } = await client.call<{
      Responses: { Batch: object[] };
      UnprocessedKeys: typeof RequestItems;
    }>('BatchGetItem', { RequestItems });
    expect(Responses.Batch).toHaveLength(42);
    expect(UnprocessedKeys).toEqual({ Batch: { Keys: RequestItems.Batch.Keys.slice(42) } });
  });

  test('acknowledges no write whose sync failed, and ends with one line', async () => {
    const { last, failure } = await endOf(startWriter(newFolder(), 'failing'));
    expect(failure).toContain('the disk fails');
    // The first sync was of the table.
    expect(last).toBe(8);
  });

  test('ends with one line on a full disk, and keeps all that it acknowledged', async () => {
    const data = newFolder();
    const command = ['ulimit -f 1000; exec "$@"', 'sh', process.execPath, script, data];
    const { last, failure, code } = await endOf(spawn('sh', ['-c', ...command]));
    expect(code).not.toBe(0);
    expect(failure).toMatch(
      /The DynamoDB engine can't work in .*: (disk I\/O error|database or disk is full)/,
    );
    expect(last).toBeGreaterThan(10);
    expect(await written(data)).toBeGreaterThanOrEqual(last);
  });

  test('refuses a folder that another process uses, which loses nothing even to kill -9', async () => {
    const data = newFolder();
    const writer = startWriter(data);
    await untilNumber(writer, 100);
    const line = `Another local stack (process ${writer.pid}) is using the data folder .local: stop it, or choose another with --data DIR`;
    await expect(startEngine({ engine: 'sqlite', data, stackFolder: '.local' })).rejects.toThrow(line);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    expect(await written(data)).toBeGreaterThanOrEqual(100);
  });

  test('describes the fault of a broken data folder in one line', async () => {
    const data = newFolder();
    writeFileSync(join(data, 'tables.sqlite'), 'this is no database, it only looks like one'.repeat(100));
    const error = await startEngine({ engine: 'sqlite', data }).catch(String);
    expect(error).toContain(`can't work in ${data}: file is not a database. Delete ${data} or move it away`);
    expect(error).not.toContain('\n');
    const file = join(data, 'file');
    writeFileSync(file, '');
    await expect(startEngine({ engine: 'sqlite', data: file })).rejects.toThrow("can't be written");
  });

  test('reports a damaged page of its file in one line', async () => {
    const data = newFolder();
    const made = await startEngine({ engine: 'sqlite', data });
    await ensureTables(made.endpoint, [aTable('Damaged')]);
    await made.stop();
    const file = openSync(join(data, 'tables.sqlite'), 'r+');
    writeSync(file, Buffer.alloc(3996, 255), 0, 3996, 100);
    closeSync(file);
    const error = await startEngine({ engine: 'sqlite', data }).catch(String);
    expect(error).toMatch(/can't work in .*malformed.*Delete .* to start empty$/);
  });

  test('an engine can run at another address', async () => {
    const elsewhere = await startEngine({ engine: `http://${new URL(engine.endpoint).host}` });
    expect(elsewhere.endpoint).toBe(engine.endpoint);
    await elsewhere.stop();
    await expect(startEngine({ engine: 'http://127.0.0.1:9' })).rejects.toThrow('No DynamoDB endpoint');
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
    { ShardIterator },
  );
  return Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
}
