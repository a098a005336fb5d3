import { randomUUID } from 'node:crypto';
import { PNG } from 'pngjs';
import { type Contract, statusOf } from '../../core/api/endpoint.ts';
import { api, entryName } from '../../core/api/index.ts';
import { newMobileApp } from '../../core/apps/mobile-app.ts';
import { limits } from '../../core/base/limits.ts';
import type { Field } from '../../core/fields/field.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { makeShareKey } from '../../core/share-links/share-keys.ts';
import { shareLimits } from '../../core/share-links/share-limits.ts';
import { openStores } from '../../core/stores.ts';
import type { Wake } from '../../core/webhooks/wake.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { aWebhook } from '../support/builders.ts';
import { fileTable, newProject, tableName } from '../support/engine.ts';
import { type ApiHandler, callApi } from '../support/function-calls.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { isNightly, testAtNight } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { textOf } from '../support/source-files.ts';
import { type RecordedStream, recordStream } from '../support/stream-records.ts';

type Operation = keyof typeof api;

/** The largest lists take a minute to make; `npm run nightly` does. */

const db = fileTable();
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const stores = ofFile(() => openStores(db.table));
let project: string;
beforeAll(async () => {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    SHORT_BASE: 'https://go.example.com',
    AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  ({ id: project } = await newProject(db));
});

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly caller?: Readonly<Record<string, string>>;
}

/** Makes a call; resolves to its response and its units. */
const call = async (operation: Operation, { params = {}, query = {}, body, caller }: Sent = {}) => {
  const { path: where, servedBy = operation }: Contract = api[operation];
  const { handler }: { handler: ApiHandler } = await import(`../../lambdas/api/${entryName(servedBy)}.ts`);
  meter.take();
  const answer = await callApi(handler, {
    ...{ method: api[operation].method, path: where, params, query, body, project, caller },
    headers: body && !caller ? { 'Idempotency-Key': [randomUUID()] } : {},
  });
  const calls = meter.take();
  const sum = (field: 'reads' | 'writes') => Math.ceil(calls.reduce((total, one) => total + one[field], 0));
  const { data, error } = answer.body;
  expect([operation, answer.status, error]).toEqual([operation, statusOf(api[operation]), undefined]);
  return { data, units: [sum('reads'), sum('writes')] };
};

const address = (host: string, length: number) => `https://${host}/${'x'.repeat(length - host.length - 9)}`;

const largestTexts = { x: 'x'.repeat(limits.texts.value), y: 'y'.repeat(limits.texts.value) };

/** A payload on hosts of many labels, with texts that take the most bytes, and with apps to save if they are given. */
const payloadOf = (i: number, length: number, saving?: object) => {
  let hosts = 0;
  const largestOf = (field: Field): string => {
    if (field.kind === 'address')
      return address(`${String.fromCharCode(97 + hosts++)}.b.c.d.e.f.g${i}.com`, length);
    if (field.kind === 'store-id') return '9'.repeat(limits.appStoreIdDigits);
    if (field.kind === 'text') return '語'.repeat(Math.min(field.max, length));
    return field.kind === 'choice' ? field.values[0] : 'x'.repeat(limits.identifier);
  };
  // A whole campaign may take as many bytes as its values may have letters of one byte.
  const inCampaign = () => 'x'.repeat(limits.campaignValue);
  return Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => !name.endsWith('AppId'))
      .map(([name, entry]) => {
        if (!('fields' in entry)) return [name, entry.kind === 'texts' ? largestTexts : largestOf(entry)];
        const largest = name === 'campaign' ? inCampaign : largestOf;
        const fields = Object.entries(entry.fields).map(([key, field]) => [key, largest(field)]);
        return [name, { ...Object.fromEntries(fields), ...('appId' in entry && saving) }];
      }),
  );
};
const name = '語'.repeat(limits.name);
const largestApp = {
  platform: 'ANDROID',
  name,
  packageName: `com.${'x'.repeat(251)}`,
  playStoreFallback: address('f.example.com', limits.url),
  androidMinVersion: '語'.repeat(limits.version),
};
const expiresAt = '2040-01-01T00:00:00Z';
const saving = { saveApp: true, appName: name };
const tagsOf = (i: number) =>
  Array.from({ length: limits.tagsPerLink }, (_, n) => `${n}-${i}-`.padEnd(limits.tag, 'x'));
/** As many bytes as rules may have, on as many hosts. */
const rulesOf = (i: number, bytes: number = limits.rules.bytes) => {
  const ruleOf = (n: number, length: number) => ({
    name: `rule-${n}`,
    platforms: ['web'],
    link: address(`r${n % limits.rules.hosts}.b.c.d.e.f.g${i}.com`, length),
  });
  const share = Math.floor(bytes / limits.rules.count) - 1;
  const frame = JSON.stringify(ruleOf(limits.rules.count, 60)).length - 60;
  return Array.from({ length: limits.rules.count }, (_, n) => ruleOf(n, share - frame));
};
const linkOf = (i: number) => ({
  name,
  expiresAt,
  tags: tagsOf(i),
  payload: { ...payloadOf(i, limits.url), rules: rulesOf(i) },
});

/** The table of docs/units.md: by operation, the most read and write units of one call. */
const documented = (): Record<string, number[]> => {
  const text = textOf('docs/units.md');
  const rows = text.matchAll(/^\| `(\w+)` +\| +([\d,]+) \| +([\d,]+) \|/gm);
  const unitsOf = (cell = '') => Number(cell.replaceAll(',', ''));
  return Object.fromEntries(
    [...rows].map(([, operation, reads, writes]) => [operation, [unitsOf(reads), unitsOf(writes)]]),
  );
};

const expectDocumented = (measured: Partial<Record<Operation | 'validateOnly', readonly number[]>>) => {
  const said = documented();
  for (const [operation, units] of Object.entries(measured))
    for (const [i, taken] of units.entries()) {
      const most = said[operation]?.[i] ?? 0;
      // A row with far too much is as wrong.
      const isSo = taken <= most && taken > most * 0.9 - 1;
      const unit = i === 0 ? 'read' : 'write';
      expect(isSo ? '' : `docs/units.md must say of ${operation}: ${taken} ${unit} units`).toBe('');
    }
};

test('no call on one link or app takes more units than docs/units.md states', async () => {
  const measured: Partial<Record<Operation, number[]>> = {};
  const measure = async (operation: Operation, sent?: Sent) => {
    const { data, units } = await call(operation, sent);
    measured[operation] = units;
    return data;
  };
  const app = await measure('createMobileApp', { body: largestApp });
  const id = { id: app.id };
  await measure('getMobileApp', { params: id });
  await measure('updateMobileApp', {
    params: id,
    body: { name: '中'.repeat(limits.name), playStoreFallback: address('g.example.com', limits.url) },
  });
  const { code } = await measure('createLink', {
    body: {
      ...linkOf(0),
      code: 'Generat123',
      payload: { ...payloadOf(0, limits.url, saving), rules: rulesOf(0) },
    },
  });
  const one = { code };
  await measure('getLink', { params: one });
  await measure('updateLink', {
    params: one,
    body: { ...linkOf(1), expiresAt: '2041-01-01T00:00:00Z' },
  });
  await measure('patchLink', {
    params: one,
    body: { ...linkOf(2), expiresAt: '2042-01-01T00:00:00Z' },
  });
  await measure('updateLinkStatus', { params: one, body: { status: 'PAUSED' } });
  await measure('checkCode', { params: one });
  await rememberLargest(code);
  await measure('getHistory', { query: { code, pageSize: '100' } });
  const file = Buffer.concat([PNG.sync.write(new PNG({ width: 1, height: 1 }))], (limits.logo / 4) * 3 - 18);
  const logo = `data:image/png;base64,${file.toString('base64')}`;
  await measure('updateQrStyle', { body: { color: '000000', background: 'transparent', level: 'H', logo } });
  await measure('getQrStyle');
  await measure('deleteLink', { params: one });
  await measure('deleteMobileApp', { params: id });
  await measure('getUsage');
  const caller = { keyId: await largestShareKey(), perHour: '5000' };
  const shared = { body: largestShare, caller };
  const former = await measure('createShareLink', shared);
  // The call that reads the deleted link, too, takes the most.
  await stores.links.delete(project, former.code, { now: new Date() });
  await measure('createShareLink', shared);
  expectDocumented(measured);
});

const largestShare = {
  link: `https://shop.example.com/${`${'x'.repeat(254)}/`.repeat(8).slice(0, limits.url - 25)}`,
  social: {
    title: '語'.repeat(80),
    description: '語'.repeat(200),
    image: address('shop.example.com', limits.url),
  },
  data: largestTexts,
};

/** The id of a publishable key whose template takes all of its bytes. */
const largestShareKey = async (): Promise<string> => {
  const { data: _, social: __, ...largest } = payloadOf(3, 1850);
  const payload = { ...largest, link: 'https://shop.example.com/' };
  const allow = ['link.path', 'social.title', 'social.description', 'social.image', 'data'];
  const template = { payload, allow, tags: tagsOf(0).slice(0, shareLimits.tags) };
  const size = Buffer.byteLength(JSON.stringify(template));
  expect(size <= shareLimits.bytes && size > shareLimits.bytes * 0.97 ? '' : size).toBe('');
  const key = { project, createdBy: 'admin', now: new Date(), shortHosts: ['go.example.com'] };
  return (await makeShareKey(template, key, stores)).keyId;
};

/** As many changes of a link as a page shows, and one more; each takes docs/units.md's units. */
const rememberLargest = async (code: string) => {
  const { link } = await stores.links.get(project, code);
  const { history } = openStores(openWholeTable(meter.endpoint));
  const change = { project, type: 'link.updated', link: { ...link, name: 'x' }, before: link } as const;
  for (let i = 0; i <= 100; i += 1)
    await history.add({ ...change, by: 'ann', at: i, takenIn: Date.now(), of: [''] }, 400);
  const units = meter.take().map(({ writes }) => writes);
  expect(Math.max(...units)).toBe(added(/the link as it was before, up to (\d+) write units/));
};

/** Units in the list below the table, by its words. */
const added = (words: RegExp): number => {
  const text = textOf('docs/units.md');
  return Number(words.exec(text.replaceAll(/\s+/g, ' '))?.[1]);
};

testAtNight(
  'links that name saved apps, links that are looked up, and prepared ones add the units in docs/units.md',
  async () => {
    const { id: other } = await newProject(db);
    const now = new Date();
    const { name: appName, platform: _, ...settings } = largestApp;
    const appIds = Array.from({ length: 200 }, () => randomUUID());
    const android = { platform: 'ANDROID', name: appName, ...settings } as const;
    const ios = { platform: 'IOS', name: appName, bundleId: settings.packageName } as const;
    const isFirstHalf = (i: number) => i < 100;
    // A project's apps are counted, so two at once would only meet.
    for (const [i, id] of appIds.entries())
      await stores.apps.create(other, newMobileApp(id, isFirstHalf(i) ? android : ios, now));
    const link = 'https://example.com/';
    const links = (named: boolean) =>
      Array.from({ length: 100 }, (_, i) => ({
        payload: { link, ...(named && { androidAppId: appIds[i], iosAppId: appIds[100 + i] }) },
      }));
    const usual = project;
    project = other;
    try {
      const [bare = 0] = (await call('createLinks', { body: { links: links(false) } })).units;
      const [barePage = 0] = (await call('listLinks', { query: { pageSize: '100' } })).units;
      const bulk = await call('createLinks', { body: { links: links(true) } });
      const [named = 0] = bulk.units;
      const [page = 0] = (await call('listLinks', { query: { pageSize: '100' } })).units;
      const ofApps = added(/names 200 saved apps reads (\d+) more units/);
      expect([named - bare, page - barePage]).toEqual([ofApps, ofApps]);
      const { code } = (await call('createLink', { body: linkOf(0) })).data;
      const metered = openStores(openWholeTable(meter.endpoint));
      meter.take();
      await metered.links.existing(other, [code]);
      expect(meter.take()).toMatchObject([{ reads: added(/looks up 200 links, at most (\d+) units each/) }]);
      const before = await call('listLinks', { query: { pageSize: '100' } });
      for (const one of before.data.slice(0, 10)) await stores.links.spread(other, one.code, 16);
      const [prepared = 0] = (await call('listLinks', { query: { pageSize: '100' } })).units;
      expect(prepared - (before.units[0] ?? 0)).toBe(
        10 * added(/A page reads (\d+) more for each link whose visitors `link prepare` spread/),
      );
    } finally {
      project = usual;
    }
  },
);

/** The write units of emitting a call's changes to a project's webhooks and sending them, without turns. */
const toldUnits = async (stream: RecordedStream): Promise<number> => {
  const metered = openStores(openWholeTable(meter.endpoint));
  const woken: Wake[] = [];
  const tell = eventEmitter({
    stores: metered,
    wake: async (wake) => void woken.push(wake),
    shortBase: 'https://go.example.com',
    historyDays: 0,
  });
  const Records = await stream.take();
  meter.take();
  expect(await tell({ Records })).toEqual({ batchItemFailures: [] });
  for (const { project, webhook: id } of woken)
    for (const delivery of await metered.deliveries.pending({ project, id }, { limit: 1000 }))
      await metered.deliveries.settle(delivery, { ...delivery, attempts: 1, lastStatus: 200 }, 'delivered');
  return Math.ceil(meter.take().reduce((sum, { writes }) => sum + writes, 0));
};

/** The most that events add, with one webhook and with ten, by operation. */
const addedByEvents = (operation: Operation): number[] => {
  const text = textOf('docs/units.md');
  const [, one = '', ten = ''] =
    new RegExp(
      `\\x60${operation}\\x60 up to ([\\d,]+) write units with one webhook and ([\\d,]+) with ten`,
    ).exec(text.replaceAll(/\s+/g, ' ')) ?? [];
  return [one, ten].map((units) => Number(units.replaceAll(',', '')));
};

test('events add the units in docs/units.md', async () => {
  const usual = project;
  const stream = recordStream(db);
  try {
    for (const [i, webhooks] of [1, 10].entries()) {
      ({ id: project } = await newProject(db));
      for (let n = 0; n < webhooks; n += 1) await stores.webhooks.create(aWebhook({ project }));
      await stream.take();
      const emitted = async (operation: Operation, sent: Sent) => {
        await call(operation, sent);
        const [most = 0, taken] = [addedByEvents(operation)[i], await toldUnits(stream)];
        const isSo = taken <= most && taken > most * 0.9 - 1;
        expect(isSo ? '' : `docs/units.md must say of ${operation} with ${webhooks}: ${taken}`).toBe('');
      };
      const code = `told-${webhooks}`;
      await emitted('createLink', { body: { ...linkOf(0), code } });
      await emitted('updateLink', {
        params: { code },
        body: { ...linkOf(1), expiresAt: '2041-01-01T00:00:00Z' },
      });
      if (isNightly) await emitted('createLinks', { body: { links: bulkLinks() } });
    }
  } finally {
    project = usual;
    await stream.stop();
  }
});

/** Characters of addresses and texts, with which a bulk body is as large as it may be. */
const bulkLength = 119;

/** As much as a body of a megabyte holds. */
const bulkLinks = () =>
  Array.from({ length: limits.bulkLinks }, (_, i) => ({
    name,
    expiresAt,
    tags: tagsOf(i % 90),
    payload: { ...payloadOf(i, bulkLength, saving), rules: rulesOf(i, 3000) },
  }));

testAtNight('no call on the most links takes more units than docs/units.md states', async () => {
  const links = bulkLinks();
  const size = Buffer.byteLength(JSON.stringify({ links }));
  expect(size < limits.bulkBodyBytes && size > limits.bulkBodyBytes * 0.97 ? '' : size).toBe('');
  const bulk = await call('createLinks', { body: { links } });
  expect(bulk.data.created).toBe(limits.bulkLinks);
  for (let i = 0; i < 100; i += 1)
    await call('createLink', { body: { ...linkOf(i), tags: tagsOf(0), code: `list-${i}` } });
  const page = await call('listLinks', { query: { pageSize: '100' } });
  const taken = links.map((link, i) => ({ ...link, code: `list-${i}` }));
  const validated = await call('createLinks', { query: { validateOnly: 'true' }, body: { links: taken } });
  expect(validated.data.results[99].error.code).toBe('CODE_ALREADY_EXISTS');
  const now = new Date();
  const { id } = (await call('createMobileApp', { body: largestApp })).data;
  const { name: appName, platform, ...settings } = (await call('getMobileApp', { params: { id } })).data;
  const { total } = (await call('listMobileApps')).data;
  for (let i = total; i < limits.appsPerProject; i += 1)
    await stores.apps.create(
      project,
      newMobileApp(`app-${i}`, { ...settings, name: appName, platform }, now),
    );
  const list = await call('listMobileApps');
  expectDocumented({
    ...{ createLinks: bulk.units, validateOnly: validated.units },
    ...{ listLinks: page.units, listMobileApps: list.units },
  });
});
