import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { itemCopier } from '../../../core/standby/copy-store.ts';
import { isCopied } from '../../../core/table/copied-kinds.ts';
import { type Key, linkKey, projectKey, suspendedKey } from '../../../core/table/keys.ts';
import type { JsonService } from '../../../local/base/json-service.ts';
import { startSqs } from '../../../local/sqs/endpoint.ts';
import { aQueue } from '../../../local/test/sqs/a-queue.ts';
import { openDeployment } from '../../../ops/deployment/deployment.ts';
import { localServices } from '../../../ops/deployment/service-access.ts';
import { openStandby, type Standby } from '../../../ops/deployment/standby-access.ts';
import { showLink } from '../../../ops/links/links.ts';
import { hideLink, setStopped, showStandby, syncStandby } from '../../../ops/standby/standby.ts';
import { syncCopy } from '../../../ops/standby/sync.ts';
import { blockLink, unblockLink } from '../../../ops/takedowns/takedowns.ts';
import { unique } from '../../support/builders.ts';
import { runCommand } from '../../support/command.ts';
import { tableName } from '../../support/engine.ts';
import { newFolder } from '../../support/folder.ts';
import { ofFile } from '../../support/of-file.ts';
import {
  fileDeployment,
  projectIn,
  recordName,
  storeLink,
  writeFacts,
} from '../../support/ops-deployment.ts';
import { tablesAt } from '../../support/second-table.ts';

const deployment = fileDeployment();
const tables = ofFile(() => tablesAt(deployment.db.endpoint, 'key'));
const { queue: copyKeys, clock } = aQueue({ name: 'copy-keys.fifo' });
const { queue: clicks } = aQueue({ name: 'standby-clicks' });
const sqs: JsonService = ofFile(() => {
  clock.now = Date.now();
  return startSqs({ queues: [copyKeys, clicks], principals: new Map(), operatorKey: 'key', enforce: true });
});

const home = () => {
  const { db, apiBase, shortBase } = deployment;
  return openDeployment(
    {
      ApiBaseUrl: apiBase,
      ShortBaseUrl: shortBase,
      TableName: tableName,
      TakedownTable: recordName,
      CopyKeysQueueUrl: copyKeys.resource.url,
    },
    localServices({ dynamodb: db.endpoint, sqs: sqs.endpoint, operatorKey: 'key' }),
  );
};

let standby: Standby;
const itemsIn = async (table: string) =>
  (await tables.itemsOf(table)).map(({ PK, SK }) => ({ PK: PK?.S ?? '', SK: SK?.S ?? '' })).filter(isCopied);

/** Lets the copier take whatever waits in its queue. */
const copierRuns = async () => {
  clock.now = Date.now();
  const copyNow = itemCopier({ item: (key) => deployment.db.table.get(key) }, standby.copy, {
    clickQueueUrl: '',
    secretArn: '',
  });
  for (const { body, receipt } of copyKeys.receive(1000)) {
    await copyNow(JSON.parse(body));
    await copyKeys.remove(receipt);
  }
};
const sync = () => syncStandby(standby, home(), { progress: () => undefined, pause: copierRuns });
const isEqual = async () => {
  const keys = await itemsIn(tableName);
  const [here, there] = await Promise.all(
    [deployment.db.table, standby.copy].map((one) => one.batchGet(keys)),
  );
  const sorted = (items: readonly object[] = []) =>
    items.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();
  return (
    (await itemsIn(standby.tableName)).length === keys.length &&
    isDeepStrictEqual(sorted(here), sorted(there))
  );
};
const show = () => showStandby(standby, async () => home());

let project: string;
beforeEach(async () => {
  await tables.remove(tableName);
  project = await projectIn(deployment);
  for (const code of ['launch', 'other']) await storeLink(deployment, { project, code });
  const CopyTableName = await tables.copy(tableName);
  const outputs = { CopyTableName, ClicksQueueUrl: clicks.resource.url };
  const services = { dynamodb: deployment.db.endpoint, sqs: sqs.endpoint, operatorKey: 'key' };
  standby = openStandby('eu-west-1', outputs, localServices(services));
});

describe('sync', () => {
  test('an equal copy needs nothing', async () => {
    expect(await sync()).toEqual({ copied: 0, removed: 0 });
  });

  test('it copies what is missing or different, removes what the first region lacks, and can be repeated', async () => {
    await standby.copy.delete({ Key: linkKey(project, 'launch') });
    await standby.copy.put({ Item: { ...projectKey(project), id: project, name: 'Older' } });
    await standby.copy.put({ Item: suspendedKey('gone') });
    expect(await sync()).toEqual({ copied: 2, removed: 1 });
    expect(await isEqual()).toBe(true);
    expect(await sync()).toEqual({ copied: 0, removed: 0 });
  });

  test("kinds that aren't copied, the state of the copy and denials stay as they are", async () => {
    const others = [
      { PK: 'HOME', SK: 'HOME', stopped: true },
      { PK: 'STANDBYDENIED', SK: `${project}#launch`, project, code: 'launch' },
      { PK: `LINK#${project}#launch`, SK: 'EXPIRY' },
    ];
    for (const Item of others) await standby.copy.put({ Item });
    const run = { name: standby.tableName, access: standby.services.client, table: standby.copy };
    const whole = { name: tableName, access: deployment.access, table: deployment.db.table };
    const sent: Key[] = [];
    await syncCopy({
      home: whole,
      copy: run,
      copyKeys: async (keys) => sent.push(...keys),
      progress: () => undefined,
    });
    expect(sent).toEqual([]);
    expect(await standby.copy.batchGet(others.map(({ PK, SK }) => ({ PK, SK })))).toHaveLength(others.length);
  });

  test('a change that is copied meanwhile is never overwritten by an older state', async () => {
    const codes = ['a', 'b', 'c'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ code: fc.constantFrom(...codes), isGone: fc.boolean(), inCopy: fc.boolean() }), {
          maxLength: 12,
        }),
        fc.array(fc.record({ code: fc.constantFrom(...codes), isGone: fc.boolean() }), { maxLength: 6 }),
        async (before, meanwhile) => {
          let version = 0;
          const write = async ({
            code,
            isGone,
            inCopy = false,
          }: {
            code: string;
            isGone: boolean;
            inCopy?: boolean;
          }) => {
            const Key = linkKey(project, code);
            const table = inCopy ? standby.copy : deployment.db.table;
            version += 1;
            await (isGone
              ? table.delete({ Key })
              : table.put({ Item: { ...Key, status: 'ACTIVE', version } }));
            if (!inCopy) await copyKeys.send(JSON.stringify(Key), 'tell');
          };
          for (const one of before) await write(one);
          const left = [...meanwhile];
          const pause = async () => {
            const next = left.shift();
            if (next) await write(next);
            await copierRuns();
          };
          await syncStandby(standby, home(), { progress: () => undefined, pause });
          expect(left.length > 0 || (await isEqual())).toBe(true);
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('denials', () => {
  test('a denied link is blocked by sync, with its reason, and its denial is removed', async () => {
    await hideLink(standby, { project, code: 'launch' }, 'phishing');
    expect(await show()).toMatchObject({ links: 2, denied: 1 });
    expect(await sync()).toEqual({ copied: 1, removed: 0 });
    const link = await showLink(deployment, project, 'launch');
    expect(link).toMatchObject({ blockedReason: 'phishing' });
    expect((await showLink(deployment, project, 'other')).blockedAt).toBeUndefined();
    expect(await standby.copy.get(linkKey(project, 'launch'))).toMatchObject({ blockedReason: 'phishing' });
    expect((await show()).denied).toBe(0);
    await unblockLink(deployment, { project, code: 'launch' });
    await sync();
    expect((await showLink(deployment, project, 'launch')).blockedAt).toBeUndefined();
  });

  test('the reason of an earlier block stays', async () => {
    await hideLink(standby, { project, code: 'launch' }, 'later');
    await blockLink(deployment, { project, code: 'launch' }, 'earlier');
    await sync();
    expect(await showLink(deployment, project, 'launch')).toMatchObject({ blockedReason: 'earlier' });
    expect((await show()).denied).toBe(0);
  });

  test('a link that was deleted meanwhile, or whose project is gone, is not blocked', async () => {
    for (const code of ['launch', 'other']) await hideLink(standby, { project, code });
    await deployment.stores.links.delete(project, 'launch', { now: new Date(), by: 'somebody' });
    await deployment.db.table.delete({ Key: linkKey(project, 'other') });
    await deployment.db.table.delete({ Key: projectKey(project) });
    expect(await sync()).toEqual({ copied: 1, removed: 2 });
    expect((await show()).denied).toBe(0);
    expect((await deployment.db.table.get(linkKey(project, 'launch')))?.blockedAt).toBeUndefined();
  });

  test('with a stopped copier sync ends with an error, and the denial stays', async () => {
    await hideLink(standby, { project, code: 'launch' });
    const stopped = syncStandby(standby, home(), { progress: () => undefined, pause: async () => undefined });
    await expect(stopped).rejects.toThrow('The copy still differs in 1 items');
    expect((await show()).denied).toBe(1);
    expect(await sync()).toEqual({ copied: 1, removed: 0 });
    expect((await show()).denied).toBe(0);
  });

  test('a link that the copy lacks is refused', async () => {
    await expect(hideLink(standby, { project, code: 'unknown' })).rejects.toThrow(
      `The project ${project} has no link unknown`,
    );
    expect((await show()).denied).toBe(0);
  });
});

describe('show', () => {
  test('it counts links that exist and waiting clicks, and measures how far the copy is behind', async () => {
    await standby.copy.put({ Item: { ...linkKey(project, 'deleted'), status: 'DELETED' } });
    await setStopped(standby, true);
    const nothing = { region: 'eu-west-1', links: 2, clicksWaiting: 0, denied: 0 };
    expect(await show()).toEqual({ ...nothing, behindSeconds: null });
    const beat = { PK: 'HOME', SK: 'HOME', copiedAt: Date.now(), delay: 7000 };
    await standby.copy.put({ Item: beat });
    expect(await show()).toEqual({ ...nothing, behindSeconds: 7 });
    await clicks.send('{}', 'redirect');
    expect(await show()).toMatchObject({ clicksWaiting: 1 });
  });

  test('while the first region is away, everything else still works', async () => {
    await standby.copy.put({ Item: { PK: 'HOME', SK: 'HOME', copiedAt: Date.now(), delay: 7000 } });
    const away = () => Promise.reject(new Error('connect ECONNREFUSED'));
    await hideLink(standby, { project, code: 'launch' });
    expect(await showStandby(standby, away)).toMatchObject({ links: 2, behindSeconds: null, denied: 1 });
  });
});

test('stop and start set the flag, and leave the rest of the item as it is', async () => {
  const Key = { PK: 'HOME', SK: 'HOME' };
  expect(await setStopped(standby, true)).toEqual({ region: 'eu-west-1', stopped: true });
  await standby.copy.put({ Item: { ...Key, stopped: true, copiedAt: 5 } });
  await setStopped(standby, true);
  expect(await standby.copy.get(Key)).toEqual({ ...Key, stopped: true, copiedAt: 5 });
  await setStopped(standby, false);
  expect(await standby.copy.get(Key)).toEqual({ ...Key, copiedAt: 5 });
});

describe('commands on a local stack', () => {
  const folder = newFolder();
  const run = async (...words: string[]) => {
    const { printed, error } = await runCommand(['standby', ...words, '--data', folder, '--json']);
    if (error) throw error;
    return JSON.parse(printed);
  };
  beforeEach(() => {
    const { db, apiBase, shortBase } = deployment;
    const outputs = {
      ...{ ApiBaseUrl: apiBase, ShortBaseUrl: shortBase, TableName: tableName, TakedownTable: recordName },
      ...{ StandbyRegion: 'us-west-2', CopyTableName: standby.tableName },
      ...{ CopyKeysQueueUrl: copyKeys.resource.url, ClicksQueueUrl: clicks.resource.url },
    };
    const services = { dynamodb: db.endpoint, sqs: sqs.endpoint, operatorKey: 'key' };
    writeFileSync(path.join(folder, 'stack.json'), JSON.stringify({ outputs, services }));
  });

  test('each prints its JSON', async () => {
    expect(await run('show')).toEqual({
      ...{ region: 'us-west-2', links: 2, behindSeconds: null },
      ...{ clicksWaiting: expect.any(Number), denied: 0 },
    });
    expect(await run('sync')).toEqual({ copied: 0, removed: 0 });
    expect(await run('stop')).toEqual({ region: 'us-west-2', stopped: true });
    expect(await run('start')).toEqual({ region: 'us-west-2', stopped: false });
    expect(await run('deny', 'launch', '--project', project, '--reason', 'phishing')).toEqual({
      ...{ project, code: 'launch', deniedAt: expect.any(String) },
    });
    expect(await run('show')).toMatchObject({ denied: 1 });
  });

  test('a restore ends when the copy is equal', async () => {
    const from = unique('restored');
    await tables.copy(tableName, from);
    const words = ['restore', '--from', from, '--data', folder, '--json'];
    expect(JSON.parse((await runCommand(words)).printed)).toMatchObject({
      ...{ from, restored: 0, standby: { copied: 0, removed: 0 } },
    });
    const { noted } = await runCommand([...words, '--adopt']);
    expect(noted.join()).toContain(`After the deployment: run 'npx dls standby sync --data ${folder}'`);
  });
});

test.each([['show'], ['sync'], ['stop'], ['start'], ['deny launch --project acme']])(
  'without a second region, standby %s ends with one line and the exit code 1',
  async (words) => {
    const folder = newFolder();
    writeFacts(folder, deployment);
    const { printed, error } = await runCommand(['standby', ...words.split(' '), '--data', folder]);
    expect(printed).toBe('');
    expect(error).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^The local stack in \S+ has no second region: .*$/),
    });
  },
);
