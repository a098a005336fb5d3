import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runningStack } from '../../../ops/deployment/running-stack.ts';
import { newFolder } from '../../support/folder.ts';
import { type Listening, listen } from '../../support/listen.ts';

let data: string;
let engine: Listening;
let facts: Record<string, unknown>;
beforeEach(async () => {
  data = newFolder();
  engine = await listen();
  facts = {
    pid: process.pid,
    outputs: { TableName: 'links' },
    services: { dynamodb: engine.endpoint },
  };
});
afterEach(async () => {
  await engine.stop();
});

const write = (text: string) => writeFileSync(path.join(data, 'stack.json'), text);
const none = () => `No local stack is running in ${data}: start one with 'npm start'`;

test('a stack whose process runs and whose engine listens is found', async () => {
  write(JSON.stringify(facts));
  expect(await runningStack(data)).toEqual(facts);
});

test('a folder without stack.json has no running stack', async () => {
  await expect(runningStack(data)).rejects.toThrow(none());
  await expect(runningStack(path.join(data, 'missing'))).rejects.toThrow('No local stack is running in');
});

test('a stack whose process is gone does not run, even if something listens at its port', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  write(JSON.stringify({ ...facts, pid }));
  await expect(runningStack(data)).rejects.toThrow(none());
});

test('a stack whose engine does not listen does not run, even if a process has its id', async () => {
  write(JSON.stringify(facts));
  await engine.stop();
  await expect(runningStack(data)).rejects.toThrow(none());
});

test('a damaged stack.json is an error with the remedy', async () => {
  const whole = JSON.stringify(facts);
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    whole.slice(0, -10),
    JSON.stringify({ ...facts, services: { dynamodb: 'x' } }),
    // As 1.1 wrote it.
    JSON.stringify({ pid: process.pid, tableName: 'links', dynamodbEndpoint: engine.endpoint }),
  ]) {
    write(text);
    await expect(runningStack(data)).rejects.toThrow(
      /stack\.json is damaged, or of another version: .*'npm start'$/,
    );
  }
});

test('a stack.json that can not be read is an error with the reason', async () => {
  mkdirSync(path.join(data, 'stack.json'));
  await expect(runningStack(data)).rejects.toThrow(/stack\.json can't be read: EISDIR.*--data DIR/);
});
