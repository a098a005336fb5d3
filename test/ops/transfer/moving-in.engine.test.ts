import fc from 'fast-check';
import type { Field } from '../../../core/fields/field.ts';
import type { LinkDraft } from '../../../core/links/link-draft.ts';
import { linkDraft } from '../../../core/links/link-schema.ts';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { assignDomain } from '../../../ops/hosts/domains.ts';
import { addLink } from '../../../ops/links/link-edits.ts';
import { setLinkStatus } from '../../../ops/links/links.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { blockLink } from '../../../ops/takedowns/takedowns.ts';
import { type ExportFormat, exportLinks } from '../../../ops/transfer/export.ts';
import type { ImportRequest } from '../../../ops/transfer/import-request.ts';
import { unique } from '../../support/builders.ts';
import { firebaseExport } from '../../support/foreign-exports.ts';
import { importText } from '../../support/imports.ts';
import { isNightly } from '../../support/nightly.ts';
import { fileDeployment, projectIn, searchLinks } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
});

const imported = async (name: string, lines: readonly string[], request: Partial<ImportRequest> = {}) => {
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const rows = await importText(deployment, { project, name, text: lines.join('\n'), note, ...request });
  const links = new Map((await searchLinks(deployment, project)).map((link) => [link.code, link]));
  return { rows, links, notes };
};

describe("Bitly's links", () => {
  const header = 'title,link,custom_bitlinks,long_url,tags,created_at,total_clicks';
  const row = (custom: string, tags = '', link = 'https://bit.ly/3abc') =>
    `Spring,${link},${custom},https://example.com/spring,${tags},2024-01-02T03:04:05+0000,7`;

  test('come with their own back-halves, tags and time of creation', async () => {
    const { rows, links } = await imported(
      'bitly.csv',
      [
        header,
        row('"[""https://acme.link/spring""]"', '"[""Poster"",""Summer Sale""]"'),
        row('"acme.link/fall,https://other.link/f"', '"Poster, Big Sale"', 'https://bit.ly/4abc'),
        row('', '', 'https://bit.ly/5abc'),
        row('https://acme.link/own', '', 'https://acme.link/6abc'),
      ],
      { host: 'acme.link', verify: true },
    );
    expect(rows.map(({ code, result, lost }) => [code, result, lost])).toEqual([
      ['spring', 'created', []],
      ['fall', 'created', [{ field: 'custom_bitlinks', value: 'https://other.link/f' }]],
      ['5abc', 'created', []],
      ['own', 'created', [{ field: 'link', value: 'https://acme.link/6abc' }]],
    ]);
    expect(links.get('fall')?.tags).toEqual(['poster', 'big-sale']);
    expect(rows.map(({ reason }) => reason)).toEqual([
      "blanks in tags became '-'",
      'left out custom_bitlinks',
      '',
      'left out link',
    ]);
    expect(links.get('spring')).toMatchObject({
      name: 'Spring',
      tags: ['poster', 'summer-sale'],
      createdAt: '2024-01-02T03:04:05.000Z',
      payload: { link: 'https://example.com/spring' },
    });
  });

  test('are reported as on hosts that are not assigned', async () => {
    const base = `https://go.example/${project}/`;
    const { notes } = await imported('bitly.csv', [header, row(''), row('', '', 'https://acme.link/x')]);
    const bitly = `bit.ly belongs to another service and can't be assigned: its codes work below ${base}`;
    const one = `acme.link is not a host of the project: until it is assigned, its codes work below ${base}`;
    expect(notes.slice(1)).toEqual([one, bitly]);
    const { notes: ofTwo } = await imported('bitly.csv', [
      header,
      row('', '', 'https://acme.link/x'),
      row('', '', 'https://acme.page.link/y'),
      row('', '', 'https://brand.link/z'),
    ]);
    expect(ofTwo.slice(1)).toEqual([
      `acme.link, brand.link are not hosts of the project: until they are assigned, their codes work below ${base}`,
      `acme.page.link belongs to another service and can't be assigned: its codes work below ${base}`,
    ]);
    await assignDomain(deployment, `${project}.test`, { project });
    const { notes: ofOwn } = await imported('bitly.csv', [
      header,
      row('', '', `https://${project}.test/own`),
    ]);
    expect(ofOwn.join()).not.toContain('assigned');
  });
});

test('hosts of rows that are refused are nothing to assign', async () => {
  const link = 'https://example.com/';
  const text = firebaseExport([
    { short_link: 'https://old.test/fire', link },
    { short_link: 'https://elsewhere.test/ice', link },
  ]);
  const { rows, notes } = await imported('fdl.csv', [text], { host: 'old.test' });
  expect(rows.map(({ result }) => result)).toEqual(['created', 'refused']);
  expect(notes.filter((note) => note.includes('assigned'))).toEqual([
    expect.stringMatching(/^old\.test is not a host/),
  ]);
});

test.each([
  ['2025-03-02 12:00:00', '2025-03-02T12:00:00.000Z'],
  ['2025-03-02T12:00', '2025-03-02T12:00:00.000Z'],
  [' 2025-03-02T12:00:00.25 ', '2025-03-02T12:00:00.250Z'],
  ['2025-03-02 12:00:00 UTC', '2025-03-02T12:00:00.000Z'],
  ['2025-03-02 12:00:00 +0200', '2025-03-02T10:00:00.000Z'],
  ['2025-03-02T12:00:00-07:00', '2025-03-02T19:00:00.000Z'],
  ['2025-03-02', '2025-03-02T00:00:00.000Z'],
])('the time %j of a file is %s', async (written, meant) => {
  const expiry = written.replace('2025', '2035');
  const { links } = await imported('dub.csv', [
    'key,url,created at,expires at',
    `dub,https://example.com/,${written},${expiry}`,
  ]);
  const own = await imported('links.csv', [
    'code,link,createdAt,expiresAt',
    `own,https://example.com/,${written},${expiry}`,
  ]);
  const times = { createdAt: written.trim(), expiresAt: expiry.trim() };
  const json = await imported('links.ndjson', [
    JSON.stringify({ code: 'json', payload: { link: 'https://example.com/' }, ...times }),
  ]);
  for (const link of [links.get('dub'), own.links.get('own'), json.links.get('json')])
    expect(link).toMatchObject({ createdAt: meant, expiresAt: meant.replace('2025', '2035') });
});

test('a day that does not exist is no time', async () => {
  const { rows } = await imported('links.csv', [
    'code,link,expiresAt',
    'abc,https://example.com/,2035-02-30 12:00',
  ]);
  expect(rows[0]).toMatchObject({ result: 'refused', reason: 'expiresAt: is a day that does not exist' });
});

test('spaces around URLs, codes, times and tags are removed; those of names and texts are kept', async () => {
  const { rows, links } = await imported('links.csv', [
    'code,link,name,expiresAt,tags,iosAppStoreId,androidPackage,utmSource,socialTitle,status',
    ' abc\t," https://example.com/ ", Name ," 2035-01-01T00:00:00Z"," a  b ", 123 , com.a ," x "," T ", PAUSED ',
  ]);
  expect(rows).toMatchObject([{ code: 'abc', result: 'created', reason: '' }]);
  expect(links.get('abc')).toMatchObject({
    ...{ name: ' Name ', expiresAt: '2035-01-01T00:00:00.000Z', tags: ['a', 'b'], status: 'PAUSED' },
    payload: {
      link: 'https://example.com/',
      ios: { app_store_id: '123' },
      android: { package: 'com.a' },
      campaign: { utm_source: ' x ' },
      social: { title: ' T ' },
    },
  });
  const firebase = firebaseExport([
    { short_link: ' https://old.test/fire ', link: ' https://example.com/ ', name: ' Fire ', st: ' T ' },
  ]);
  const { links: all } = await imported('fdl.csv', [firebase], { host: 'old.test' });
  expect(all.get('fire')).toMatchObject({ name: ' Fire ', payload: { social: { title: ' T ' } } });
});

test('a value in an ignored column counts as lost, except analytics and empty words', async () => {
  const { rows, notes } = await imported(
    'dub.csv',
    [
      'Short Link,URL,Domain,Key,Comments,Clicks,Last Clicked,Archived',
      'https://dub.sh/one,https://example.com/,dub.sh,one,call me,7,2025-01-01,false',
      'https://dub.sh/two,https://example.com/,dub.sh,two, ,0,,true',
      'https://dub.sh/three,https://example.com/,dub.sh,three,,,,',
    ],
    { verify: true },
  );
  expect(notes[0]).toContain('Ignored columns: domain, comments, last clicked, archived');
  expect(rows.map(({ reason, lost }) => [reason, lost])).toEqual([
    ['left out comments', [{ field: 'comments', value: 'call me' }]],
    ['left out archived', [{ field: 'archived', value: 'true' }]],
    ['', []],
  ]);
  const own = await imported('links.csv', [
    'code,link,desktop_fallback,',
    'own,https://example.com/,https://example.com/d,',
  ]);
  expect(own.rows[0]?.lost).toEqual([{ field: 'desktop_fallback', value: 'https://example.com/d' }]);
  const fire = 'short_link,link,folder\nhttps://old.test/fire,https://example.com/,Spring';
  expect((await imported('fdl.csv', [fire], { host: 'old.test' })).rows[0]?.lost).toEqual([
    { field: 'folder', value: 'Spring' },
  ]);
});

test('a row gives the most important reason, which holds nothing of the row', async () => {
  const bad = (fields: object) => JSON.stringify({ payload: { link: 'https://example.com/' }, ...fields });
  const { rows } = await imported('links.ndjson', [
    bad({ code: 'tags', tags: ['a', 'b c', '?'] }),
    bad({ code: 'tags-2', tags: ['b c'] }),
    bad({ code: 'x', expiresAt: 'never' }),
    bad({ code: 'rules', payload: { link: 'https://example.com/', rules: [{ name: 'a', mine: 1 }] } }),
    bad({
      code: 'rules-2',
      payload: {
        link: 'https://example.com/',
        rules: [{ name: 'a', countries: ['DE'], link: 'x' }, { yours: 1 }],
      },
    }),
  ]);
  const [tag, sameTag, , rule] = rows.map(({ reason }) => reason);
  expect(tag).toMatch(/^tags\.N: must be 1 to 32 letters/);
  expect(sameTag).toBe(tag);
  expect(rows[2]).toMatchObject({
    reason: expect.stringMatching(/^code: must be [^;]*$/),
    details: [expect.stringMatching(/^code: .*; expiresAt: /)],
  });
  expect(rule).not.toContain('mine');
});

const text = (lines = false) =>
  fc.string({
    unit: fc.constantFrom(...' a\u00a0ü漢,;"\'=+-@|', ...(lines ? ['\n', '\r\n', '\t', '\r'] : [])),
    maxLength: 6,
  });
const address = fc.constantFrom(
  ...['https://example.com/', 'https://example.com/?a="b,c"&d=1;2', 'https://example.com/\u00a0'],
  ...["https://example.com/'=x", 'HTTP://EXAMPLE.com:80/%20 x', 'https://例え.jp/ü'],
);

const drawn = (field: Field): fc.Arbitrary<string> => {
  if (field.kind === 'address') return address;
  if (field.kind === 'store-id') return fc.constantFrom('1', '0042');
  if (field.kind === 'choice') return fc.constantFrom(...field.values);
  if (field.kind === 'identifier') return fc.constantFrom('com.example.app', '=com', "'x");
  return text(field.lines);
};

/** Every setting but saved apps and rules, which no table holds. */
const payload = fc.record(
  Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => !name.endsWith('AppId'))
      .map(([name, entry]) => [
        name,
        'fields' in entry
          ? fc.record(
              Object.fromEntries(
                Object.entries<Field>(entry.fields).map(([field, one]) => [field, drawn(one)]),
              ),
              { requiredKeys: [] },
            )
          : entry.kind === 'texts'
            ? fc.dictionary(
                fc.constantFrom('a', 'b.c', '-'),
                fc
                  .string({ unit: 'grapheme', maxLength: 9 })
                  .map((text) => text.replaceAll(/\p{Cc}/gu, '\n')),
                { minKeys: 1 },
              )
            : drawn(entry),
      ]),
  ),
  { requiredKeys: ['link'] },
);
const link = fc.record(
  {
    name: text(),
    tags: fc.uniqueArray(fc.constantFrom('a', '7', 'team/c', 'x:y_z.-')),
    expiresAt: fc.constantFrom('2035-01-01', '2036-02-29T23:59:59.999+14:00'),
    payload,
    state: fc.constantFrom('live', 'paused', 'blocked', 'paused and blocked'),
  },
  { requiredKeys: ['payload', 'state'] },
);

test.each(['ndjson', 'csv'] as const)(
  'an export to %s comes back unchanged',
  async (format: ExportFormat) => {
    await fc.assert(
      fc.asyncProperty(fc.array(link, { minLength: 1, maxLength: 12 }), async (drafts) => {
        const id = unique('trip');
        await createProject(deployment, { id });
        for (const { state, ...draft } of drafts) {
          const read = linkDraft.safeParse(draft);
          if (!read.success) continue;
          const { code } = await addLink(deployment, id, read.data as LinkDraft);
          if (state.startsWith('paused')) await setLinkStatus(deployment, id, code, 'PAUSED');
          if (state.endsWith('blocked')) await blockLink(deployment, { project: id, code });
        }
        let exported = '';
        const count = await exportLinks(deployment, { project: id, format }, async (part) => {
          exported += part;
        });
        const name = `links.${format}`;
        const again = await importText(deployment, { project: id, name, text: exported });
        expect(again.map(({ result, details }) => [result, details])).toEqual(
          Array(count).fill(['unchanged', []]),
        );
      }),
      { numRuns: isNightly ? 150 : 6 },
    );
  },
);
