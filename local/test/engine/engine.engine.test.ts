import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { dynoxide } from '../../engine/dynoxide.ts';
import { isPortTaken, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { indexStreamRecords } from '../../engine/stream-file.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aFolder, aTable, engine, key, until } from '../tables/table.ts';

describe('the engine', () => {
  test.each(['0.0.0.0', '127.9.8.7'])('says that its port is taken by a listener at %s', async (taken) => {
    const server = createServer().listen(0, taken);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [program = '', ...flags] = dynoxide().command({ host: '127.9.8.7', port }, aFolder());
    const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (text) => {
      output += text;
    });
    await once(child, 'close');
    server.close();
    expect(output).not.toBe('');
    expect(isPortTaken(output)).toBe(true);
  });

  test('keeps its data, stream and sequence numbers over a restart', async () => {
    const data = aFolder();
    const arns: (string | undefined)[] = [];
    const numbers: string[][] = [];
    for (const id of ['a', 'b']) {
      const kept = await startEngine({ engine: 'dynoxide', data });
      // Nobody else on the machine knows this address.
      if (process.platform === 'linux') expect(new URL(kept.endpoint).hostname).toMatch(/^127\.(?!0\.0\.1$)/);
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

  const startWriter = (data: string, by: 'engine' | 'gateway' | 'failing') =>
    spawn(process.execPath, [join(import.meta.dirname, 'endless-writer.ts'), data, by]);

  test.each(['engine', 'gateway'] as const)(
    'with writes of the %s, kill -9 of everything takes none that was acknowledged, and leaves no process',
    async (by) => {
      const data = aFolder();
      const writer = startWriter(data, by);
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
    },
  );

  test('a sync that fails ends who writes beside the engine, and the write is not acknowledged', async () => {
    const writer = startWriter(aFolder(), 'failing');
    let printed = '';
    let failure = '';
    writer.stdout.on('data', (text) => {
      printed += text;
    });
    writer.stderr.on('data', (text) => {
      failure += text;
    });
    await once(writer, 'close');
    expect(failure).toContain('the disk fails');
    // The first write was the engine's.
    expect(printed.trim().split('\n').at(-1)).toBe('10');
  });

  test('stops an engine left behind by a killed stack', async () => {
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

  test("does not touch another process with the old engine's id", async () => {
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
    await expect(startEngine({ engine: 'dynoxide', data, stackFolder: '.local' })).rejects.toThrow(
      `Another local stack (process ${process.ppid}) is using the data folder .local: stop it, or choose another with --data DIR`,
    );
    await expect(startEngine({ engine: 'dynoxide', data })).rejects.toThrow(
      `is using the data folder ${data}: `,
    );
    await other.stop();
  });

  test('says in one line what is wrong with a broken data folder', async () => {
    const data = aFolder();
    writeFileSync(join(data, 'dynamodb.sqlite'), 'this is no database, it only looks like one'.repeat(100));
    const error = await startEngine({ engine: 'dynoxide', data }).catch(String);
    expect(error).toContain(data);
    expect(error).not.toContain('\n');
    expect(error).toContain(`Delete ${data} or move it away to start empty`);
    const file = join(data, 'file');
    writeFileSync(file, '');
    await expect(startEngine({ engine: 'dynoxide', data: file })).rejects.toThrow("can't be written");
  });

  test('reports its death', async () => {
    const data = aFolder();
    const dying = await startEngine({ engine: 'dynoxide', data });
    process.kill(JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8')).enginePid, 'SIGKILL');
    await expect(dying.died).resolves.toContain('dynoxide');
    await dying.stop();
  });

  test('can run elsewhere', async () => {
    const elsewhere = await startEngine({ engine: `http://${new URL(engine.endpoint).host}` });
    expect(elsewhere.endpoint).toBe(engine.endpoint);
    await elsewhere.stop();
    await expect(startEngine({ engine: 'http://127.0.0.1:9' })).rejects.toThrow('No DynamoDB endpoint');
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

  test("works without the index if the engine's tables differ", () => {
    const file = join(aFolder(), 'other.sqlite');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE something_else(id INTEGER)');
    database.close();
    expect(() => indexStreamRecords(file)).not.toThrow();
    expect(() => indexStreamRecords(join(file, 'nowhere'))).not.toThrow();
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
