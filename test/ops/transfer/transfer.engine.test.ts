import fc from 'fast-check';
import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { moreColumns } from '../../../core/links/link-columns.ts';
import type { NewLink } from '../../../core/links/link-store.ts';
import { exampleRules } from '../../../core/rules/example-rules.ts';
import { appCountKey, tagNamesKey } from '../../../core/table/keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import type { CallContext } from '../../../ops/console-server/call.ts';
import { transferCalls } from '../../../ops/console-server/calls/transfer.ts';
import type { TransferProgress } from '../../../ops/console-server/progress.ts';
import { assignDomain } from '../../../ops/hosts/domains.ts';
import { removeLink, setLinkStatus } from '../../../ops/links/links.ts';
import { blockLink, unblockLink } from '../../../ops/takedowns/takedowns.ts';
import { type ExportFormat, exportLinks } from '../../../ops/transfer/export.ts';
import type { RowOutcome } from '../../../ops/transfer/import.ts';
import type { ImportRequest } from '../../../ops/transfer/import-request.ts';
import { loadLinks } from '../../support/bulk-load.ts';
import { firebaseExport, firebaseRow } from '../../support/foreign-exports.ts';
import { importText, reasonsOf } from '../../support/imports.ts';
import { mutated } from '../../support/json-schema-arbitrary.ts';
import { fileDeployment, projectIn, searchLinks, storeLink } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
});

const now = new Date('2026-11-21T10:00:00.000Z');

const create = (fields: Partial<NewLink>) => storeLink(deployment, { project, ...fields });

/** A project with links of every kind. */
const furnish = async () => {
  const ios = newMobileApp(
    'ios-1',
    { platform: 'IOS', name: 'Shop', bundleId: 'com.shop', appStoreId: '1' },
    now,
  );
  const android = newMobileApp('and-1', { platform: 'ANDROID', name: 'Shop', packageName: 'com.shop' }, now);
  await deployment.stores.apps.create(project, ios);
  await deployment.stores.apps.create(project, android);
  const link = 'https://example.com/page';
  await create({ code: 'plain', createdAt: '2021-05-05T05:05:05.005Z' });
  const saved = { iosAppId: 'ios-1', androidAppId: 'and-1' };
  await create({ code: 'saved', payload: { link, ...saved } });
  await create({ code: 'every', name: 'one\u2028two\u2029three', payload: { ...examplePayload, ...saved } });
  await create({ code: 'dangling', payload: { link, iosAppId: 'gone' } });
  await create({ code: 'over', expiresAt: '2026-03-01T00:00:00.000Z' });
  await create({ code: 'paused', expiresAt: '2036-03-01T00:00:00.000Z' });
  await setLinkStatus(deployment, project, 'paused', 'PAUSED');
  await create({
    code: 'full',
    name: '=SUM("A1", ü漢字)',
    payload: {
      link: 'https://example.com/?a=1&b="x"',
      android: { package: 'com.a', store_fallback: 'https://example.com/a', min_version: '3' },
      ios: { bundleId: 'com.i', app_store_id: '42', app_store_fallback: 'https://example.com/i' },
      social: { title: "'Quoted", description: '-dash, comma\nline', image: 'https://example.com/i.png' },
      campaign: { utm_source: '@s', utm_medium: '+m', utm_campaign: 'c', utm_term: 't', utm_content: 'x' },
      desktop_fallback: 'https://example.com/d',
    },
  });
  await create({ code: 'deleted' });
  await removeLink(deployment, project, 'deleted');
};

const exported = async (id: string, format: ExportFormat = 'ndjson'): Promise<string> => {
  let text = '';
  await exportLinks(deployment, { project: id, format }, async (part) => {
    text += part;
  });
  return text;
};

interface Asked extends Partial<ImportRequest> {
  /** The file's name. */
  readonly name?: string;
}

const imported = (text: string | Uint8Array, { name = 'links.ndjson', ...request }: Asked = {}) =>
  importText(deployment, { project, name, text, ...request });
const resultsOf = (rows: readonly RowOutcome[]) => rows.map(({ code, result }) => [code, result]);

const another = () => projectIn(deployment);

/** The fields of links that a move keeps. */
const kept = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ code, name, payload, apps, expiresAt, status, createdAt }) => ({
      ...{ code, name, payload, apps, expiresAt, status, createdAt },
    }));

test.each([true, false])(
  'rows beyond the links that a project may have are refused (dry run: %j)',
  async (dryRun) => {
    const limited = { ...deployment, linksPerProject: 150 };
    await create({ code: 'there' });
    const rows = ['there', ...Array.from({ length: 203 }, (_, i) => `row-${i}`)].map((code) =>
      JSON.stringify({ code, payload: { link: 'https://example.com/landing' } }),
    );
    const links = { project, name: 'links.ndjson', text: rows.join('\n'), dryRun };
    const results = await importText(limited, links);
    const counts = Object.fromEntries(
      [...Map.groupBy(results, ({ result }) => result)].map(([result, of]) => [result, of.length]),
    );
    expect(counts).toEqual({ unchanged: 1, created: 149, refused: 54 });
    expect(results.at(-1)?.reason).toContain('has reached its limit of 150 links');
  },
);

test('no row keeps the others from being imported, whatever JSON it holds', async () => {
  await furnish();
  const whole = kept(await exported(project)).find(({ apps }) => apps.length === 2);
  // Each under a code of its own: a repeated one is not even looked at.
  const rows = Array.from({ length: 600 }, (_, i) => ({ ...whole, code: `row-${i}` }));
  const broken = rows.map((row) => JSON.stringify(fc.sample(mutated(row).chain(mutated), 1)[0]));
  const good = JSON.stringify({ ...whole, code: 'good', apps: [] });
  const to = await another();
  for (const dryRun of [true, false]) {
    const outcomes = await imported([...broken, good].join('\n'), { project: to, dryRun });
    expect(outcomes).toHaveLength(601);
    expect(outcomes.at(-1)).toMatchObject({ code: 'good', result: 'created' });
    expect(new Set(outcomes.map(({ result }) => result))).toContain('refused');
  }
});

describe('a move', () => {
  test('by JSON lines keeps everything, and repeating it changes nothing', async () => {
    await furnish();
    const from = await exported(project);
    // Rows are links as the API shows them.
    expect(JSON.parse(from.split('\n')[0] ?? '')).toMatchObject({ analytics: {}, projectId: project });
    expect(kept(from).map(({ code }) => code)).not.toContain('deleted');
    const to = await another();
    const first = await imported(from, { project: to });
    expect(reasonsOf(first)).toEqual(Array(7).fill(['created', '']));
    const there = await exported(to);
    const byCode = (text: string) => new Map(kept(text).map((link) => [link.code, link]));
    expect(byCode(there)).toEqual(byCode(from));
    for (const id of [to, project]) {
      expect(reasonsOf(await imported(from, { project: id }))).toEqual(Array(7).fill(['unchanged', '']));
    }
    expect(await exported(to)).toBe(there);
  });

  test('by CSV keeps the data of its columns', async () => {
    await furnish();
    const from = await exported(project, 'csv');
    expect(from.startsWith('code,shortUrl,link,name,status,createdAt,expiresAt,clicks,uniqueClicks,')).toBe(
      true,
    );
    expect(from).toContain(`"'=SUM(""A1"", ü漢字)"`);
    const to = await another();
    const csv = { name: 'links.csv' };
    expect((await imported(from, { ...csv, project: to })).map(({ result }) => result)).toEqual(
      Array(7).fill('created'),
    );
    const shown = async (id: string) =>
      (await exported(id, 'csv')).replaceAll(`/${id}/`, '/ID/').split('\r\n').sort();
    expect(await shown(to)).toEqual(await shown(project));
    for (const id of [to, project])
      expect(resultsOf(await imported(from, { ...csv, project: id })).map(([, result]) => result)).toEqual(
        Array(7).fill('unchanged'),
      );
  });

  test('by CSV lists the settings that it has no columns for', async () => {
    await create({ code: 'plain' });
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    const write = () => exportLinks(deployment, { project, format: 'csv', note }, async () => undefined);
    await write();
    expect(notes).toEqual([]);
    await create({ code: 'whole', payload: examplePayload });
    await write();
    expect(notes).toEqual([
      `CSV has no columns for settings of some links: ${[...moreColumns.map(({ name }) => name), 'rules'].join(', ')}; the format ndjson keeps them`,
    ]);
  });

  test.each(['csv', 'ndjson'] as const)(
    'in the console shows how many links are written, as %s',
    async (format) => {
      const codes = Array.from({ length: 501 }, (_, i) => `code-${i}`);
      await loadLinks({ endpoint: deployment.db.endpoint, name: deployment.tableName }, project, codes);
      const seen: TransferProgress[] = [];
      const progress = (done: TransferProgress) => void seen.push(done);
      // An export looks at nothing else.
      const context = { deployment, progress } as unknown as CallContext;
      const write = (chosen?: string[]) =>
        transferCalls.exportLinks.run({ project, format, codes: chosen }, context);
      await write();
      expect(seen).toEqual([500, 501].map((done) => ({ done, of: 501 })));
      seen.length = 0;
      await write(codes.slice(0, 101));
      expect(seen).toEqual([100, 101].map((done) => ({ done, of: 101 })));
    },
  );

  test('sorts links by their time of creation, before and between existing ones', async () => {
    const times = ['2019-01-05', '2026-11-21', '2020-07-01', '2019-01-06', '2021-01-01'];
    const rows = times.map((day, i) => ({
      code: `row-${i}`,
      payload: { link: 'https://example.com/' },
      createdAt: `${day}T00:00:00.000Z`,
    }));
    await imported(rows.map((row) => JSON.stringify(row)).join('\n'));
    await imported('{"code":"new","payload":{"link":"https://example.com/"}}');
    expect((await searchLinks(deployment, project)).map(({ code }) => code)).toEqual([
      ...['new', 'row-1', 'row-4', 'row-2', 'row-3', 'row-0'],
    ]);
    expect((await deployment.stores.links.page(project, 1, 10)).total).toBe(6);
  });
});

const plainPayload = { link: 'https://example.com/' };
const row = (fields: object) => JSON.stringify({ payload: plainPayload, ...fields });

describe('a row', () => {
  test('of each kind has its result, and does not affect the others', async () => {
    await create({ code: 'there', name: 'Mine' });
    await create({ code: 'gone' });
    await removeLink(deployment, project, 'gone');
    const rows = await imported(
      [
        row({ code: 'there', name: 'Theirs', payload: { link: 'https://example.com/landing' } }),
        row({ code: 'gone' }),
        row({ code: 'new' }),
        row({ code: 'new' }),
        row({ code: 'x' }),
        row({ code: 'no-link', payload: {} }),
        row({ code: 'bad-link', payload: { link: 'ftp://example.com' } }),
        row({ code: 'loop', payload: { link: 'https://go.example/shop/x' } }),
        row({ code: 'odd-status', status: 'SLEEPING' }),
        row({ code: 'future', createdAt: '2099-01-01T00:00:00Z' }),
        row({ code: 'no-app', payload: { link: 'https://example.com/', iosAppId: 'nope' } }),
        '',
        '{"code": "broken"',
        '"text"',
        row({ code: 'apple-app-site-association' }),
        row({ code: 'last' }),
      ].join('\n'),
    );
    expect(rows.map(({ line, code, result }) => [line, code, result])).toEqual([
      [1, 'there', 'conflict'],
      [2, 'gone', 'conflict'],
      [3, 'new', 'created'],
      [4, 'new', 'conflict'],
      [5, 'x', 'refused'],
      [6, 'no-link', 'refused'],
      [7, 'bad-link', 'refused'],
      [8, 'loop', 'refused'],
      [9, 'odd-status', 'refused'],
      [10, 'future', 'refused'],
      [11, 'no-app', 'refused'],
      [13, '', 'refused'],
      [14, '', 'refused'],
      [15, 'apple-app-site-association', 'refused'],
      [16, 'last', 'created'],
    ]);
    expect(rows[0]).toMatchObject({
      reason: 'the stored link has another name',
      details: ['name here: Mine; in the file: Theirs'],
    });
    expect(rows[13]?.reason).toMatch(/is reserved; choose another code$/);
    expect(rows[3]).toMatchObject({
      reason: 'an earlier row has the code already',
      details: ['the code is in line 3 already'],
    });
    for (const { result, reason } of rows) if (result !== 'created') expect(reason).not.toBe('');
  });

  test('with a code of earlier rows is a conflict with the first, even if that was refused', async () => {
    const again = row({ code: 'thrice' });
    const rows = await imported([row({ code: 'thrice', status: 'NO' }), again, again].join('\n'));
    expect(rows.map(({ result, details }) => [result, details.at(-1)])).toEqual([
      ['refused', expect.stringContaining('status')],
      ...Array(2).fill(['conflict', 'the code is in line 1 already']),
    ]);
  });

  test('that is a body of POST /links saves its apps once', async () => {
    const ios = { saveApp: true, appName: 'Shop', bundleId: 'com.shop' };
    const text = [1, 2, 3]
      .map((i) => row({ code: `body-${i}`, payload: { link: 'https://example.com/', ios } }))
      .join('\n');
    expect((await imported(text)).map(({ result }) => result)).toEqual(['created', 'created', 'created']);
    expect((await imported(text)).map(({ result }) => result)).toEqual(Array(3).fill('unchanged'));
    expect(await deployment.stores.apps.list(project)).toHaveLength(1);
  });

  test('gives its app a new id if the project has another app with that id', async () => {
    await deployment.stores.apps.create(
      project,
      newMobileApp('app', { platform: 'IOS', name: 'A', bundleId: 'a' }, now),
    );
    const app = { id: 'app', platform: 'IOS', name: 'B', bundleId: 'b', packageName: null };
    const text = row({
      code: 'with-app',
      payload: { link: 'https://example.com/', iosAppId: 'app' },
      apps: [app],
    });
    expect(resultsOf(await imported(text))).toEqual([['with-app', 'created']]);
    expect(resultsOf(await imported(text))).toEqual([['with-app', 'unchanged']]);
    const apps = await deployment.stores.apps.list(project);
    expect(apps.map(({ name }) => name).sort()).toEqual(['A', 'B']);
    const [link] = await searchLinks(deployment, project);
    expect(link?.payload.iosAppId).toBe(apps.find(({ name }) => name === 'B')?.id);
  });

  test('is created by the operator, whatever the subscription', async () => {
    await deployment.stores.projects.setSubscription(project, 'inactive');
    expect(resultsOf(await imported(row({ code: 'here', createdBy: 'somebody' })))).toEqual([
      ['here', 'created'],
    ]);
    expect((await searchLinks(deployment, project))[0]).toMatchObject({ createdBy: 'operator' });
  });
});

test('a blocked link comes back from a move as its owner left it', async () => {
  for (const code of ['live', 'paused', 'over']) await create({ code });
  await setLinkStatus(deployment, project, 'paused', 'PAUSED');
  await create({ code: 'expired', expiresAt: '2026-03-01T00:00:00.000Z' });
  for (const code of ['live', 'paused', 'expired']) await blockLink(deployment, { project, code });
  const from = await exported(project);
  const to = await another();
  await imported(from, { project: to });
  for (const id of [to, project]) {
    expect(new Set((await imported(from, { project: id })).map(({ result }) => result))).toEqual(
      new Set(['unchanged']),
    );
    for (const code of ['live', 'paused', 'expired']) await unblockLink(deployment, { project: id, code });
    const links = await searchLinks(deployment, id);
    expect(Object.fromEntries(links.map(({ code, status }) => [code, status]))).toEqual({
      ...{ live: 'ACTIVE', paused: 'PAUSED', over: 'ACTIVE', expired: 'EXPIRED' },
    });
  }
});

test('a blocked link that its owner paused differs from one that was active', async () => {
  await create({ code: 'paused' });
  await setLinkStatus(deployment, project, 'paused', 'PAUSED');
  await blockLink(deployment, { project, code: 'paused' });
  const payload = { link: 'https://example.com/landing' };
  const [active, paused] = ['ACTIVE', 'PAUSED'].map((status) =>
    row({ code: 'paused', payload, status, blocked: true }),
  );
  expect((await imported(active ?? ''))[0]?.details).toEqual(['status here: PAUSED; in the file: ACTIVE']);
  expect((await imported(paused ?? ''))[0]?.result).toBe('unchanged');
});

test('a dry run writes nothing and shows the results of an import', async () => {
  await furnish();
  const from = await exported(project);
  const to = await another();
  const dry = await imported(from, { project: to, dryRun: true, verify: true });
  expect(await exported(to)).toBe('');
  expect(await deployment.stores.apps.list(to)).toEqual([]);
  expect(await imported(from, { project: to, verify: true })).toEqual(dry);
});

test('a verification reports added rules, and finds equal rules equal', async () => {
  const payload = { ...plainPayload, rules: exampleRules };
  const whole = row({ code: 'ruled', payload });
  for (const request of [{ dryRun: true }, {}, {}]) {
    const [outcome] = await imported(whole, { ...request, verify: true });
    expect(outcome).toMatchObject({ reason: '', differences: [] });
  }
  const csv = `code,link\nruled,${plainPayload.link}\n`;
  const [found] = await imported(csv, { name: 'links.csv', verify: true });
  expect(found?.result).toBe('unchanged');
  expect(found?.differences).toEqual(
    // No rule is for Android.
    ['iphone', 'ipad', 'desktop'].map((device) => ({
      device,
      here: 'where its rules say',
      there: plainPayload.link,
    })),
  );
  const [first, ...others] = exampleRules;
  const rules = [{ ...first, countries: ['CH'] }, ...others];
  const [changed] = await imported(row({ code: 'ruled', payload: { ...payload, rules } }), { verify: true });
  expect(changed).toMatchObject({ result: 'conflict' });
  expect(changed?.reason).toBe('the stored link has another payload.rules.N.countries.N');
  expect(changed?.details).toContain('payload.rules.0.countries.0 here: DE; in the file: CH');
});

describe("Firebase's export", () => {
  test('a file of a thousand links is imported once, and its links redirect as before', async () => {
    await assignDomain(deployment, `${project}.test`, { project });
    const rows = Array.from({ length: 1000 }, (_, i) => firebaseRow(i, `${project}.test`));
    const request = { name: 'firebase.csv', format: 'firebase', verify: true } as const;
    const first = await imported(firebaseExport(rows), request);
    expect(new Set(first.map(({ result }) => result))).toEqual(new Set(['created']));
    expect(first.filter(({ reason }) => reason.includes('leads to'))).toEqual([]);
    const again = await imported(firebaseExport(rows), request);
    expect(new Set(again.map(({ result }) => result))).toEqual(new Set(['unchanged']));
    expect(first.map(({ line }) => line)).toEqual(again.map(({ line }) => line));
    expect((await deployment.stores.links.page(project, 1, 10)).total).toBe(1000);
  });

  test('lists fields without an equivalent, refuses foreign hosts, and keeps codes byte for byte', async () => {
    const link = 'https://example.com/';
    const rows = [
      {
        short_link: 'https://old.test/AbC_-1',
        link,
        ius: 'acme',
        ipfl: 'https://example.com/ipad',
        archived: 'TRUE',
      },
      { short_link: 'acme.page.link/xyz', link },
      { short_link: 'https://old.test/promos/summer', link },
      { short_link: 'https://old.test/', link },
      {
        short_link: 'https://old.test/bad-fallback',
        link,
        afl: 'acme://x',
        creation_timestamp: '1556886000',
      },
      { short_link: 'https://old.test/no-link', link: '' },
    ];
    const outcomes = await imported(firebaseExport(rows), {
      name: 'firebase.csv',
      format: 'firebase',
      host: 'OLD.test',
      verify: true,
    });
    expect(outcomes.map(({ line, code, result }) => [line, code, result])).toEqual([
      [2, 'AbC_-1', 'created'],
      [3, 'xyz', 'refused'],
      [4, 'summer', 'refused'],
      [5, '', 'refused'],
      [6, 'bad-fallback', 'created'],
      [7, 'no-link', 'refused'],
    ]);
    expect(outcomes[0]).toMatchObject({
      reason: 'leads elsewhere on ipad',
      details: [
        'archived at Firebase, active here as it was there',
        'left out ius=acme, ipfl=https://example.com/ipad',
        'on ipad it leads to https://example.com/, at its source to https://example.com/ipad',
      ],
    });
    expect(outcomes[1]).toMatchObject({
      reason: "its host is not the project's: assign it, or name it with --host",
      details: ["its host acme.page.link is not the project's: assign it, or name it with --host"],
    });
    expect(outcomes[4]?.details).toContain('left out payload.android.store_fallback=acme://x');
    expect(outcomes.map(({ lost, differences }) => [lost.length, differences])).toEqual([
      [2, [{ device: 'ipad', here: 'https://example.com/', there: 'https://example.com/ipad' }]],
      ...[2, 3, 4].map(() => [0, []]),
      [1, [{ device: 'android', here: 'https://example.com/', there: 'acme://x' }]],
      [0, []],
    ]);
    expect(outcomes[4]?.lost).toEqual([{ field: 'payload.android.store_fallback', value: 'acme://x' }]);
    const links = await searchLinks(deployment, project, { search: 'bad-fallback' });
    expect(links[0]).toMatchObject({ status: 'ACTIVE', createdAt: '2019-05-03T12:20:00.000Z' });
  });

  test('is recognised by its column titles, or without titles by its order', async () => {
    const titles = ['Short link', 'Deep link (link)', 'Link name'];
    const text = `${titles.join(',')}\r\nhttps://old.test/one,https://example.com/,One\r\n`;
    const request = { format: 'firebase', host: 'old.test' } as const;
    expect(resultsOf(await imported(text, { ...request, name: 'titles.csv' }))).toEqual([['one', 'created']]);
    const columns = Array.from({ length: 29 }, (_, i) => `c${i}`);
    const cells = ['https://old.test/two', 'https://example.com/', ...Array(27).fill('')];
    const bare = `${columns.join(',')}\n${cells.join(',')}\n`;
    expect(resultsOf(await imported(bare, { ...request, name: 'bare.csv' }))).toEqual([['two', 'created']]);
  });
});

test("values in a service's own format are read, or left out of a link that is imported", async () => {
  const text = [
    'Slashtag,Destination,Status,Tags',
    'active,https://example.com/,active,"a,ä!,b,ö!"',
    'trashed,https://example.com/,trashed,',
    'nowhere,nothing,active,ö!',
  ].join('\n');
  const rows = await imported(text, { name: 'rebrandly.csv' });
  expect(resultsOf(rows)).toEqual([
    ['active', 'created'],
    ['trashed', 'refused'],
    ['nowhere', 'refused'],
  ]);
  expect(rows[2]?.details.join()).toMatch(/^link: must be an absolute/);
  expect(rows[0]?.lost.map(({ value }) => value)).toEqual(['ä!', 'ö!']);
  expect((await searchLinks(deployment, project, {}))[0]).toMatchObject({
    status: 'ACTIVE',
    tags: ['a', 'b'],
  });
});

test('a plain CSV may have its columns in any order and case', async () => {
  const text =
    '\uFEFFLINK,Code,Clicks,NAME,\n"https://example.com/a,b",one,7,\'=1+1,\nhttps://example.com/,two\n';
  expect(resultsOf(await imported(text, { name: 'plain.CSV' }))).toEqual([
    ['one', 'created'],
    ['two', 'created'],
  ]);
  expect((await searchLinks(deployment, project, { search: 'one' }))[0]).toMatchObject({ name: '=1+1' });
  const again = await imported(text, { name: 'plain.CSV' });
  expect(again.map(({ result }) => result)).toEqual(['unchanged', 'unchanged']);
});

test('nothing of a file that is not UTF-8 is imported', async () => {
  const rows = [row({ code: 'good' }), row({ code: 'cafe', name: 'Caf\xe9' })];
  await expect(imported(Buffer.from(rows.join('\r\n'), 'latin1'))).rejects.toThrow(
    "isn't in UTF-8, see line 2: save it as UTF-8 (in Excel as 'CSV UTF-8') and import it again",
  );
  expect(await searchLinks(deployment, project)).toEqual([]);
});

test('a row with more cells than columns is refused, and reported in its line', async () => {
  const text = [
    'code,link,name,,',
    'cut,https://example.com/p?tags=a,b,Spring',
    '',
    'fewer,https://example.com/',
    '',
    'empty,https://example.com/,Name,,,,',
    '"quoted","https://example.com/p?tags=a,b",Spring',
    'open,"https://example.com/',
    'after,https://example.com/',
  ];
  const outcomes = await imported(text.join('\r\n'), { name: 'cells.csv' });
  expect(outcomes.map(({ line, code, result }) => [line, code, result])).toEqual([
    [2, 'cut', 'refused'],
    [4, 'fewer', 'created'],
    [6, 'empty', 'created'],
    [7, 'quoted', 'created'],
    [8, 'open', 'refused'],
  ]);
  expect(outcomes[0]?.reason).toContain('a comma needs quotes');
  expect(outcomes[4]?.details).toEqual([
    "the quote in line 8 isn't closed, so the rest of the file was not read",
  ]);
});

test.each([
  ['links.csv', 'code,name\n', "no column 'link'"],
  [
    'twice.csv',
    'code,link,Link\na,https://example.com/1,https://example.com/2\n',
    "has two columns 'link': remove or rename one of them",
  ],
  ['open.csv', 'code,"link\na,b\n', "has no readable header row: the quote in line 1 isn't closed"],
  ['empty.csv', '', 'is empty'],
  ['lines.csv', '\n\n', 'is empty'],
])('an unreadable %s is refused as a whole', async (name, text, message) => {
  await expect(imported(text, { name })).rejects.toThrow(message);
});

test('a missing file or project is an error', async () => {
  await expect(imported('', { file: 'nowhere.csv' })).rejects.toThrow("nowhere.csv can't be read");
  await expect(imported('', { project: 'nowhere' })).rejects.toThrow('There is no project nowhere');
});

test('columns that an import ignores may have one name', async () => {
  const text = 'code,link,tag,tag\nboth-tags,https://example.com/tags,a,b\n';
  expect(resultsOf(await imported(text, { name: 'tags.csv' }))).toEqual([['both-tags', 'created']]);
});

describe('an imported row', () => {
  test('from before 2000 or after now is refused, since analytics begin with the first link', async () => {
    const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const times = ['0001-01-01', '1899-12-30', '1999-12-31T23:59:59.999Z', '2000-01-01', soon(4), soon(6), 5];
    const rows = await imported(times.map((createdAt, i) => row({ code: `at-${i}`, createdAt })).join('\n'));
    expect(reasonsOf(rows)).toEqual([
      ...Array(3).fill(['refused', 'createdAt: must not be before 2000']),
      ...Array(2).fill(['created', '']),
      ['refused', 'createdAt: must not be in the future'],
      ['refused', 'createdAt: must be a time such as 2030-01-31T12:00:00Z'],
    ]);
  });

  test('is blocked, open or refused by its value for blocked', async () => {
    const values = [true, 'true', 'TRUE', false, 'False', null, undefined, 1, 0, 'yes', '', [true]];
    const text = values.map((blocked, i) => row({ code: `row-${i}`, blocked })).join('\n');
    const rows = await imported(text);
    expect(reasonsOf(rows.slice(7))).toEqual(Array(5).fill(['refused', 'blocked: must be true or false']));
    expect(rows.slice(0, 7).map(({ result }) => result)).toEqual(Array(7).fill('created'));
    const links = await searchLinks(deployment, project);
    expect(links.filter(({ blocked }) => blocked).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['row-0', 'row-1', 'row-2']),
    );
    expect(links.filter(({ blocked }) => blocked)).toHaveLength(3);
    expect((await imported(text)).slice(0, 7).map(({ result }) => result)).toEqual(
      Array(7).fill('unchanged'),
    );
  });

  test('whose link was deleted is a conflict, also if it is the same', async () => {
    const text = row({ code: 'gone' });
    await imported(text);
    await removeLink(deployment, project, 'gone');
    expect(reasonsOf(await imported(text))).toEqual([
      ['conflict', 'the code belongs to a link that was deleted'],
    ]);
  });

  test('whose code is taken meanwhile is compared with the stored link', async () => {
    const { create: store } = deployment.stores.linkImports;
    const meeting = jest
      .spyOn(deployment.stores.linkImports, 'create')
      .mockImplementationOnce(async (...given) => {
        await create({ code: 'mine', payload: { link: 'https://example.com/theirs' } });
        return store(...given);
      });
    const [outcome] = await imported(row({ code: 'mine' }));
    meeting.mockRestore();
    expect([outcome?.result, outcome?.reason]).toEqual(['conflict', expect.stringContaining('payload.link')]);
  });

  test('that a proof does not find is reported as missing', async () => {
    const lying = jest
      .spyOn(deployment.stores.linkImports, 'create')
      .mockImplementation(async (links) => new Set(links.map(({ code }) => code)));
    const outcomes = await imported(row({ code: 'lost' }), { verify: true });
    lying.mockRestore();
    expect(reasonsOf(outcomes)).toEqual([['created', 'it is not stored']]);
  });

  test('deleting the project ends the import', async () => {
    const rows = Array.from({ length: 350 }, (_, i) => row({ code: `row-${i}` })).join('\n');
    const importing = importText(deployment, { project, name: 'links.ndjson', text: rows }, ({ code }) =>
      code === 'row-0' ? deployment.stores.projects.markDeleted(project, new Date()) : undefined,
    );
    await expect(importing).rejects.toThrow(`There is no project ${project}`);
  });

  test.each([true, false])('for whose tag there is no room is refused (dry run: %j)', async (dryRun) => {
    // Stored before its tag was taken off the list.
    const stored = row({ code: 'stored', tags: ['odd'] });
    await imported(stored);
    const names = new Set(Array.from({ length: 999 }, (_, i) => `tag-${i}`));
    await deployment.db.table.put({ Item: { ...tagNamesKey(project), names } });
    const rows = ['tag-1', 'last', 'over', 'last'].map((tag, i) => row({ code: `row-${i}`, tags: [tag] }));
    const outcomes = await imported([stored, ...rows].join('\n'), { dryRun });
    expect(reasonsOf(outcomes)).toEqual([
      ['unchanged', ''],
      ['created', ''],
      ['created', ''],
      ['refused', expect.stringMatching(/^tags: would give the project more than 1000 tags/)],
      ['created', ''],
    ]);
  });

  test('that brings an app for which there is no room is refused, and so is the next one with it', async () => {
    await deployment.db.table.update(updateOf(appCountKey(project), { set: { n: 1000 } }));
    const ios = { saveApp: true, appName: 'New', bundleId: 'com.new' };
    const payload = { link: 'https://example.com/', ios };
    const rows = await imported(['one', 'two'].map((code) => row({ code, payload })).join('\n'));
    expect(rows.map(({ result }) => result)).toEqual(['refused', 'refused']);
    expect(await deployment.stores.links.count(project)).toBe(0);
  });
});

test('the writers of a batch use counters of their own, so that none waits for another', async () => {
  const create = jest.spyOn(deployment.stores.linkImports, 'create');
  await imported(Array.from({ length: 100 }, (_, i) => row({ code: `row-${i}` })).join('\n'));
  const counters = create.mock.calls.map(([, { counter }]) => counter);
  create.mockRestore();
  expect(counters).toHaveLength(4);
  expect(new Set(counters).size).toBe(4);
});

describe('two imports at once', () => {
  const app = (fields: object) => ({
    ...{ id: 'app', platform: 'IOS', name: 'Shop', bundleId: 'com.shop', packageName: null },
    ...fields,
  });
  const rows = (start: string, brought: object) =>
    Array.from({ length: 120 }, (_, i) =>
      row({
        code: `${start}-${i}`,
        payload: { link: 'https://example.com/', iosAppId: 'app' },
        apps: [brought],
      }),
    ).join('\n');

  test('that bring the same app save it once', async () => {
    const outcomes = await Promise.all(['a', 'b'].map((start) => imported(rows(start, app({})))));
    expect(outcomes.flat().filter(({ result }) => result !== 'created')).toEqual([]);
    expect(await deployment.stores.apps.list(project)).toHaveLength(1);
    expect(await deployment.stores.links.count(project)).toBe(240);
  });

  test('that bring two apps of one id save both, and each link names its own', async () => {
    const outcomes = await Promise.all([
      imported(rows('a', app({}))),
      imported(rows('b', app({ name: 'Other', bundleId: 'com.other' }))),
    ]);
    expect(outcomes.flat().filter(({ result }) => result !== 'created')).toEqual([]);
    const apps = new Map((await deployment.stores.apps.list(project)).map(({ id, name }) => [id, name]));
    const named = (await searchLinks(deployment, project, { limit: 240 })).map(({ code, payload }) => [
      code.slice(0, 1),
      apps.get(payload.iosAppId ?? ''),
    ]);
    expect(new Set(named.map((one) => one.join(' ')))).toEqual(new Set(['a Shop', 'b Other']));
  });
});
