import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { redriveRows } from '../../../ops/click-export/delayed-rows.ts';
import { localAccess } from '../../../ops/deployment/service-access.ts';
import { newFolder } from '../../support/folder.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

const folder = newFolder();
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
  process.env.AWS_ENDPOINT_URL_FIREHOSE = server.endpoint;
  mkdirSync(path.join(folder, 'shard'));
  writeFileSync(path.join(folder, 'shard/1.ndjson'), '{"position":"1"}\n{"position":"2"}\n');
  writeFileSync(path.join(folder, 'shard/3.ndjson'), '{"position":"3"}\n');
  writeFileSync(path.join(folder, 'notes.txt'), 'not rows');
});
beforeEach(() => {
  server.calls.length = 0;
  server.answer = () => ({ RequestResponses: [{ RecordId: 'any' }] });
});
afterAll(async () => {
  delete process.env.AWS_ENDPOINT_URL_FIREHOSE;
  await server.stop();
});

const deployment = { access: localAccess('http://127.0.0.1:1'), clickExportStream: 'rows' };
const redrive = (from = folder) => redriveRows(deployment, from, () => undefined);

test('puts each file into the export as it is', async () => {
  expect(await redrive()).toEqual({ files: 2, rows: 3 });
  const sent = server.calls.map(({ operation, input }) => [operation, input]);
  const record = (text: string) => ({
    DeliveryStreamName: 'rows',
    Records: [{ Data: Buffer.from(text).toString('base64') }],
  });
  expect(sent).toEqual([
    ['PutRecordBatch', record('{"position":"1"}\n{"position":"2"}\n')],
    ['PutRecordBatch', record('{"position":"3"}\n')],
  ]);
});

test('ends in one line if a file is refused, or if there is nothing to do', async () => {
  server.answer = () => ({ RequestResponses: [{ ErrorCode: 'ServiceUnavailableException' }] });
  await expect(redrive()).rejects.toThrow(/^Firehose has refused .*1\.ndjson; repeat the command later$/);
  await expect(redrive(path.join(folder, 'no'))).rejects.toThrow("can't be read as a folder");
  mkdirSync(path.join(folder, 'empty'));
  await expect(redrive(path.join(folder, 'empty'))).rejects.toThrow('has no .ndjson files');
  await expect(redriveRows({ access: deployment.access }, folder, () => undefined)).rejects.toThrow(
    'This stack has no export of clicks: deploy it with -c export=on',
  );
});
