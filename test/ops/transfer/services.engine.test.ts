import { assignDomain } from '../../../ops/hosts/domains.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { countRow, isClean, noRows } from '../../../ops/transfer/import.ts';
import type { ImportRequest } from '../../../ops/transfer/import-request.ts';
import { unique } from '../../support/builders.ts';
import { importText } from '../../support/imports.ts';
import { fileDeployment, projectIn, searchLinks } from '../../support/ops-deployment.ts';

/* The columns of each service's files, and the outcomes for links that were not open to everybody there. */

interface Names {
  readonly code?: string;
  readonly link: string;
  readonly shortUrl?: string;
  readonly domain?: string;
  readonly title?: string;
  readonly tags?: string;
  readonly expiry?: string;
  readonly start?: string;
  readonly off?: string;
  readonly password?: string;
  readonly limit?: string;
  readonly count?: string;
  /** A value of the title that is none, as this service's files have it. */
  readonly nothing?: string;
}

const services: Readonly<Record<string, Names>> = {
  'Shlink, by its API': {
    ...{ code: 'shortCode', link: 'longUrl', shortUrl: 'shortUrl', domain: 'domain', title: 'title' },
    ...{ tags: 'tags', expiry: 'meta.validUntil', start: 'meta.validSince', limit: 'meta.maxVisits' },
    ...{ count: 'visitsSummary.total', nothing: 'null' },
  },
  'Shlink, by its web client': {
    ...{ code: 'shortCode', link: 'longUrl', shortUrl: 'shortUrl', domain: 'domain', title: 'title' },
    ...{ tags: 'tags', expiry: 'validUntil', start: 'validSince', limit: 'maxVisits', count: 'visits' },
  },
  'Kutt, by its API': {
    ...{ code: 'address', link: 'target', shortUrl: 'link', expiry: 'expire_in', off: 'banned' },
    ...{ password: 'password', count: 'visit_count' },
  },
  YOURLS: { code: 'keyword', link: 'url', title: 'title', count: 'clicks', nothing: 'NULL' },
  'Dub, by its API': {
    ...{ code: 'key', link: 'url', shortUrl: 'shortLink', domain: 'domain', title: 'title', tags: 'tags' },
    ...{ expiry: 'expiresAt', password: 'password', off: 'disabledAt', count: 'clicks', nothing: 'null' },
  },
  'Dub, as it exports': {
    ...{ link: 'Destination URL', shortUrl: 'Short link', title: 'Title', tags: 'Tags', count: 'Clicks' },
  },
  'Short.io': {
    ...{ code: 'path', link: 'originalURL', shortUrl: 'shortURL', title: 'title', tags: 'tags' },
    ...{ expiry: 'expiresAt', password: 'password', limit: 'clicksLimit', nothing: 'undefined' },
  },
  // Their columns of short URLs hold only codes.
  Polr: { code: 'short_url', link: 'long_url', off: 'is_disabled', password: 'secret_key', count: 'clicks' },
  'a shortener with limits': {
    ...{ code: 'Short URL', link: 'Long URL', count: 'Visits', limit: 'Visit Limit', expiry: 'Expires' },
  },
  Rebrandly: { code: 'slashtag', link: 'destination', shortUrl: 'shortUrl', title: 'title', count: 'clicks' },
  Bitly: { link: 'long_url', shortUrl: 'link', title: 'title', tags: 'tags', nothing: 'None' },
  Firebase: { link: 'link', shortUrl: 'short_link', title: 'name', nothing: 'null' },
  'a sheet with our names': {
    ...{ code: 'code', link: 'link', shortUrl: 'shortUrl', title: 'name', tags: 'tags', expiry: 'expiresAt' },
    ...{ start: 'valid since', off: 'disabled', password: 'password', limit: 'max clicks', count: 'clicks' },
    ...{ nothing: 'N/A' },
  },
};
const each = Object.entries(services);

const deployment = fileDeployment();
let project: string;
let host: string;
beforeEach(async () => {
  project = unique('shop');
  host = `${project}.test`;
  await createProject(deployment, { id: project });
});

type Link = Readonly<Partial<Record<keyof Names, string>>> & { readonly code: string };

/** The lines of a service's file. */
const linesOf = (names: Names, links: readonly Link[], between = ','): string => {
  const given = Object.entries(names).filter(([part]) => part !== 'nothing');
  const cellOf = (link: Link, part: string) => {
    const { code, ...own } = link;
    const at = link.shortUrl ?? host;
    const parts = { code, domain: at, link: `https://example.com/${code}`, ...own };
    if (part === 'shortUrl') return `https://${at}/${code}`;
    return parts[part as keyof typeof parts] ?? '';
  };
  const rows = links.map((link) => given.map(([part]) => cellOf(link, part)));
  return [given.map(([, name]) => name), ...rows]
    .map((cells) => cells.map((cell) => (cell.includes(between) ? `"${cell}"` : cell)).join(between))
    .join('\r\n');
};

const imported = async (
  content: string | Buffer | readonly string[],
  request: Partial<ImportRequest> = {},
) => {
  const totals = noRows(true);
  const text = Array.isArray(content) ? content.join('\n') : (content as string | Buffer);
  const all = { project, host, verify: true, newId: () => unique('app'), ...request };
  const rows = await importText(deployment, { name: 'file.csv', text, ...all }, (row) =>
    countRow(totals, row),
  );
  const links = new Map((await searchLinks(deployment, project)).map((link) => [link.code, link]));
  const outcomes = Object.fromEntries(
    rows.map(({ line, code, result, reason }) => [line, `${code} ${result} ${reason}`.trim()]),
  );
  return { rows, totals, links, outcomes };
};

test.each(each)('from %s, links that had ended or were closed stay so', async (_, names) => {
  const later = '2100-01-01T00:00:00Z';
  const seconds = String(Date.parse('2024-12-31') / 1000);
  const closed: [keyof Names, string, string][] = [
    ['expiry', '31/12/2024', 'refused expiresAt: must be a time'],
    ['expiry', '45657', 'refused expiresAt: must be a time'],
    ['expiry', seconds, 'EXPIRED'],
    ['expiry', `${seconds}000`, 'EXPIRED'],
    ['expiry', later, 'ACTIVE'],
    ['start', later, 'refused the link is not valid yet'],
    ['start', '2020-01-01', 'ACTIVE'],
    ['off', 'true', 'refused the link is disabled at its source'],
    ['off', 'false', 'ACTIVE'],
    ['password', 'secret', 'refused the link has a password, which is not offered here'],
    ['password', '0', 'ACTIVE'],
    ['limit', '100', 'ACTIVE left out'],
    ['limit', '7', 'refused the link has used up its visits'],
    ['limit', '0', 'ACTIVE'],
  ];
  // A used-up limit shows only with a count.
  const cases = closed.filter(
    ([part, value]) => names[part] && (part !== 'limit' || value !== '7' || names.count),
  );
  const { rows, totals, links } = await imported(
    linesOf(
      names,
      [...cases, ['code', 'open', 'ACTIVE'] as const].map(([part, value], i) => ({
        ...{ count: '7', [part]: value },
        code: `case-${i}`,
      })),
    ),
  );
  const found = rows.map(({ code, result, reason }) =>
    (result === 'refused' ? `refused ${reason}` : `${links.get(code)?.status} ${reason}`).trim(),
  );
  expect(found.slice(0, -1)).toEqual(
    cases.map(([, , becomes]) => expect.stringMatching(new RegExp(`^${becomes}`))),
  );
  expect(found.at(-1)).toBe('ACTIVE');
  const limited = cases.filter(([, , becomes]) => becomes === 'ACTIVE left out').length;
  expect(totals).toMatchObject({ limits: limited, lost: limited });
  for (const row of rows) expect(JSON.stringify(row)).not.toContain('secret');
});

test.each(each.filter(([, { limit }]) => limit))(
  'from %s, a limit of visits is lost before anything else, and no clean import',
  async (_, names) => {
    const text = linesOf({ ...names, id: 'id', last: 'ip' } as Names, [
      { code: 'limited', limit: '100', id: '1', last: '203.0.113.5' } as Link,
    ]);
    const { rows, totals } = await imported(text);
    expect(rows[0]?.lost[0]).toEqual({ field: names.limit?.toLowerCase(), value: '100' });
    expect(rows[0]?.reason).toBe(`left out ${names.limit?.toLowerCase()} and more`);
    expect([isClean(totals), isClean({ ...totals, limits: 0 })]).toEqual([false, true]);
  },
);

test.each(each.filter(([, { shortUrl, domain }]) => shortUrl ?? domain))(
  'from %s, rows on another host are refused in any order, and take no codes',
  async (_, names) => {
    const here = { code: 'autumn' };
    const there = { code: 'autumn', shortUrl: 'team.test', link: 'https://intranet.example.com/autumn' };
    const why = "autumn refused its host is not the project's: assign it, or name it with --host";
    for (const [first, second] of [
      [there, here],
      [here, there],
    ] as const) {
      const { outcomes, links, totals } = await imported(linesOf(names, [first, second]));
      expect(outcomes[first === here ? 3 : 2]).toBe(why);
      expect(outcomes[first === here ? 2 : 3]).toMatch(/^autumn (created|unchanged)$/);
      expect(links.get('autumn')?.originalUrl).toBe('https://example.com/autumn');
      expect(totals.refused).toBe(1);
    }
    // An assigned host needs no name, and without either of the two all come in.
    const other = await projectIn(deployment);
    const text = linesOf(names, [{ ...there, code: 'spring' }, { code: 'winter' }]);
    if (names.shortUrl !== 'short_link') {
      const all = await imported(text, { project: other, host: undefined });
      expect(Object.values(all.outcomes)).toEqual(['spring created', 'winter created']);
    }
    await assignDomain(deployment, host, { project });
    const own = await imported(text, { host: undefined });
    expect(Object.values(own.outcomes)).toEqual([why.replace('autumn', 'spring'), 'winter created']);
  },
);

test('a link that is dead here but open in the file leads elsewhere', async () => {
  const rows = ['expired', 'paused', 'closing', 'open'].map((code) => ({
    code,
    link: `https://example.com/${code}`,
  }));
  const ended = '2024-12-31T00:00:00Z';
  const stored = rows.map(({ code, link }) => ({
    ...{ code, payload: { link } },
    ...(code === 'paused' && { status: 'PAUSED' }),
    expiresAt: code === 'expired' || code === 'closing' ? ended : 0,
  }));
  const json = stored.map((link) => JSON.stringify(link)).join('\n');
  const first = await imported(json, { name: 'links.ndjson', host: undefined });
  expect(first.totals).toMatchObject({ created: 4, elsewhere: 0 });
  expect(first.links.get('open')).toMatchObject({ status: 'ACTIVE' });
  const csv = ['slug,url', ...rows.map(({ code, link }) => `${code},${link}`)].join('\n');
  const { rows: found, totals } = await imported(csv);
  expect(found.map(({ code, reason }) => [code, reason])).toEqual([
    ...['expired', 'paused', 'closing'].map((code) => [
      code,
      'leads elsewhere on android, iphone, ipad, desktop',
    ]),
    ['open', ''],
  ]);
  expect([totals.unchanged, totals.elsewhere, isClean(totals)]).toEqual([4, 3, false]);
  expect(found[0]?.details[0]).toBe(
    'on android it leads to nowhere, at its source to https://example.com/expired',
  );
});

test('a host that only the column domain names counts, unless the row has a short URL', async () => {
  const { outcomes } = await imported([
    'slug,url,domain',
    `one,https://example.com/,${host.toUpperCase()}`,
    'two,https://example.com/,team.test',
    'three,https://example.com/,',
  ]);
  expect(Object.values(outcomes)).toEqual([
    'one created',
    expect.stringContaining('two refused its host is not'),
    'three created',
  ]);
});

test('rows on bit.ly come in by their own codes, whatever host is named', async () => {
  const { outcomes } = await imported([
    'link,custom_bitlinks,long_url',
    'https://bit.ly/3abc,https://team.test/autumn,https://example.com/1',
    `https://bit.ly/4abc,https://${host}/autumn,https://example.com/2`,
    'https://team.test/spring,,https://example.com/3',
  ]);
  expect(Object.values(outcomes)).toEqual([
    '3abc created left out custom_bitlinks',
    'autumn created',
    expect.stringContaining('spring refused its host is not'),
  ]);
});

test.each(each.filter(([, { title }]) => title))('words for nothing in %s are empty', async (_, names) => {
  const { nothing = 'NULL' } = names;
  const { outcomes, links, totals } = await imported(
    linesOf(names, [
      {
        ...Object.fromEntries(Object.keys(names).map((part) => [part, nothing])),
        code: 'bare',
        link: 'https://example.com/',
        domain: host,
        shortUrl: host,
      },
    ]),
  );
  expect(outcomes).toEqual({ 2: 'bare created' });
  expect(totals).toMatchObject({ lost: 0, limits: 0, elsewhere: 0 });
  const { payload, ...link } = links.get('bare') ?? {};
  expect(payload).toEqual({ link: 'https://example.com/' });
  for (const name of ['name', 'tags', 'expiresAt']) expect(link).not.toHaveProperty(name);
});

test.each(each)('a file of %s may have tabs, name its separator, or be UTF-16', async (_, names) => {
  const plain = (between: string) =>
    linesOf(names, [{ code: 'one', title: 'Sömmer' }, { code: 'two' }], between);
  const lineOf = (first: number) => ({ [first]: 'one created', [first + 1]: 'two created' });
  const unchanged = (first: number) => ({ [first]: 'one unchanged', [first + 1]: 'two unchanged' });
  expect((await imported(plain('\t'))).outcomes).toEqual(lineOf(2));
  for (const between of [',', ';', '\t', '|'])
    expect((await imported(`sep=${between}\r\n${plain(between)}`)).outcomes).toEqual(unchanged(3));
  expect((await imported(Buffer.from(`\uFEFF${plain('\t')}`, 'utf16le'))).outcomes).toEqual(unchanged(2));
});

test.each([
  [
    '[{"address":"sommer","target":"https://example.com/"}]',
    "holds a JSON array; an import takes one object a line: jq -c '.[]' FILE > links.ndjson",
  ],
  [
    '\n[\n  {"code":"sommer"}\n]',
    "holds a JSON array; an import takes one object a line: jq -c '.[]' FILE > links.ndjson",
  ],
  [
    '{\n  "links": []\n}',
    "holds JSON of several lines; an import takes one object a line: jq -c '.' FILE > links.ndjson",
  ],
])('JSON that is not by lines is refused as a whole: %s', async (text, message) => {
  await expect(imported(text)).rejects.toThrow(message);
  await expect(imported(text, { name: 'links.json' })).rejects.toThrow(message);
});

test('an array among other lines is a row with a fault', async () => {
  const { outcomes } = await imported('["x"]\n{"code":"one","payload":{"link":"https://example.com/"}}\n');
  expect(outcomes).toEqual({ 1: 'refused the line is not a JSON object', 2: 'one created' });
});

test("an API's page of links is reported as holding a list", async () => {
  const { rows } = await imported('{"links":[{"link":"https://bit.ly/3abcd"}],"pagination":{"total":1}}', {
    name: 'bitly.json',
  });
  expect(rows).toMatchObject([
    {
      result: 'refused',
      reason: expect.stringContaining("jq -c '.LIST[]'"),
      details: [expect.stringContaining("the list 'links'")],
    },
  ]);
});

test('numbers may have commas between thousands, as Kutt writes its visits', async () => {
  const { outcomes } = await imported([
    'address,target,visit_count,max_visits',
    'over,https://example.com/,"1,234","1,000"',
    'open,https://example.com/,999,"1,000"',
  ]);
  expect(Object.values(outcomes)).toEqual([
    'over refused the link has used up its visits',
    'open created left out max_visits',
  ]);
});

test('our own export is read by its own names', async () => {
  const { outcomes, links } = await imported([
    'code,shortUrl,link,name,createdAt,tags,password,max_visits',
    'one,https://elsewhere.test/one,https://example.com/,none,2024-01-01,nan,secret,7',
  ]);
  expect(outcomes).toMatchObject({ 2: expect.stringMatching(/^one created left out max_visits and more/) });
  expect(links.get('one')).toMatchObject({ name: 'none', tags: ['nan'] });
});
