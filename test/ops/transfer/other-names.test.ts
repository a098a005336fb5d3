import { openSource } from '../../../ops/transfer/formats.ts';
import type { SourceRow } from '../../../ops/transfer/row.ts';
import type { TextFile } from '../../../ops/transfer/text-file.ts';

const open = (text: string, name = 'links.csv') => {
  const file: TextFile = {
    title: `The file ${name}`,
    text: async function* () {
      yield text;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  return openSource(file, { format: undefined, name }, { given: undefined, own: [] });
};
const rowsIn = async (text: string): Promise<SourceRow[]> => {
  const rows: SourceRow[] = [];
  for await (const row of (await open(text)).rows()) rows.push(row);
  return rows;
};

const destination = 'https://example.com/landing';
const services: readonly (readonly [service: string, header: string, row: string])[] = [
  [
    'Dub',
    'Short Link,URL,Domain,Key,Title,Tags',
    `https://dub.sh/sommer,${destination},dub.sh,sommer,Sommer,"a, b"`,
  ],
  ['Dub, as it exports', 'Short link,Destination URL,Clicks', `https://dub.sh/sommer,${destination},1`],
  ['Dub, by its API', 'link,url', `https://dub.sh/sommer,${destination}`],
  ['Branch', 'alias,$canonical_url,$marketing_title,~channel', `sommer,${destination},Sommer,mail`],
  [
    'Short.io',
    'Path,Title,Original URL,Tags,Created at',
    `sommer,Sommer,${destination},a b,2024-01-02T03:04:05Z`,
  ],
  ['Rebrandly', 'Slashtag,Title,Destination', `sommer,Sommer,${destination}`],
  ['Kutt', 'address,target,description', `sommer,${destination},Sommer`],
  ['Kutt, by its API', 'address,target,link', `sommer,${destination},https://kutt.test/sommer`],
  ['Shlink', 'Short Code,Title,Short URL,Long URL', `sommer,Sommer,https://s.test/sommer,${destination}`],
  [
    'Shlink, by its web client',
    'createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits',
    `2024-01-02T03:04:05+01:00,s.test,sommer,https://s.test/sommer,${destination},Sommer,a|b,7`,
  ],
  [
    'Bitly, by its API',
    'id,link,custom_bitlinks,long_url,title,archived,created_at,tags',
    `bit.ly/sommer,https://bit.ly/sommer,[],${destination},,false,2024-01-02T03:04:05+0000,[]`,
  ],
  [
    'Rebrandly, by its API',
    'title,slashtag,destination,shortUrl,createdAt,clicks,favourite',
    `Sommer,sommer,${destination},rebrand.ly/sommer,2024-01-02T03:04:05.000Z,7,false`,
  ],
  [
    'YOURLS',
    'keyword,url,title,timestamp,ip,clicks',
    `sommer,${destination},Sommer,2024-01-02 03:04:05,::1,7`,
  ],
  ['Bitly, by its dashboard', 'Bitlink,Original URL,Title', `bit.ly/sommer,${destination},T`],
  ['chhoto-url', 'shortlink,longlink,hits,expiry_time', `sommer,${destination},3,0`],
  ['a sheet with semicolons', 'slug;url;title', `sommer;${destination};"a; b, c"`],
  ['a sheet with semicolons and its own line', 'sep=;\nslug;url', `sommer;${destination}`],
  ['a table that Excel keeps as text', '="slug",url', `"=""sommer""",${destination}`],
  ['Bitly', 'Title,Link,Long URL', `Sommer,https://bit.ly/sommer,${destination}`],
  ['Firebase', 'short_link,link,name', `https://acme.page.link/sommer,${destination},Sommer`],
];

test.each(services)('a file of %s is known by its header', async (_, header, row) => {
  const [found] = await rowsIn(`${header}\n${row}\n`);
  expect(found).toMatchObject({ code: 'sommer', link: { payload: { link: destination } } });
  expect((await open(`${header}\n${row}\n`)).note).toMatch(/^Read /);
});

test('a note lists the names that columns were read by, and the ignored ones', async () => {
  const { note, isLenient } = await open('Key,URL,Comments\nsommer,https://example.com/,x\n');
  expect(note).toBe("Read code from 'key', link from 'url'. Ignored columns: comments");
  expect(isLenient).toBe(true);
});

test("columns of Bitly's that have no place here are named", async () => {
  const { note } = await open('Link,Long URL,Title,Group\nbit.ly/sommer,https://example.com/,T,a\n');
  expect(note).toBe("Read as Bitly's CSV. Ignored columns: group");
});

test('tags are read whatever stands between them', async () => {
  const [row] = await rowsIn('Key,URL,Tags\nsommer,https://example.com/,"a, b c|d"\n');
  expect(row?.link).toMatchObject({ tags: ['a', 'b', 'c', 'd'] });
});

test("phones' own addresses are read", async () => {
  const [row] = await rowsIn(
    'path,originalURL,iphoneURL,androidURL\nsommer,https://example.com/,https://example.com/i,https://example.com/a\n',
  );
  expect(row?.link.payload).toMatchObject({
    ios: { app_store_fallback: 'https://example.com/i' },
    android: { store_fallback: 'https://example.com/a' },
  });
});

test('invisible characters around cells are cut, also in JSON', async () => {
  const header = 'Key\u200b,URL,androidPackage,utm_source,Title';
  const text = `${header}\nsommer\u200f,\u2060${destination}\u200b,com.example\u00a0,mail\ufeff, T \u200d\n`;
  const link = {
    payload: { link: destination, android: { package: 'com.example' }, campaign: { utm_source: 'mail' } },
  };
  expect(await rowsIn(text)).toMatchObject([{ code: 'sommer', link: { ...link, name: ' T ' } }]);
  const json = { code: '\u200bsommer', name: ' T\u200b', payload: { link: `\ufeff${destination}\u200b` } };
  expect(await rowsIn(JSON.stringify(json))).toMatchObject([
    { code: 'sommer', link: { name: ' T\u200b', payload: { link: destination } } },
  ]);
});

test('a short URL that can hold no code is a fault of its row', async () => {
  const rows = await rowsIn(
    'Short link,Destination URL\nhttps://dub.sh/a/b,https://example.com/\n,https://example.com/\n',
  );
  expect(rows.map(({ fault }) => fault)).toEqual([
    {
      reason: 'the path of its short link has several parts',
      detail: 'the path of its short link has several parts: a/b',
    },
    { reason: 'the row has no short link' },
  ]);
});

test('two columns that may be the same one are refused by name', async () => {
  await expect(open('key,slug,url\na,b,https://example.com/\n')).rejects.toThrow(
    "has 'slug' and 'key', which both match 'code': rename one of them",
  );
});

test('a file with our own columns is read by them only', async () => {
  const { note, isLenient, holds } = await open('code,link,title\nsommer,https://example.com/,T\n');
  expect(note).toBe('Ignored columns: title');
  expect([isLenient, holds('name')]).toEqual([false, false]);
});

test('a file without a column for the code or the destination is refused', async () => {
  await expect(open('clicks,url\n1,https://example.com/\n')).rejects.toThrow(
    "has no column 'code'; it has 'clicks', 'url'",
  );
});

test.each([
  ['links', '\n {"code":"sommer"}\n', false],
  ['links.csv', '{"code":"sommer"}\n', false],
  ['links.txt', 'code,link\nsommer,https://example.com/\n', true],
  ['links.JSONL', 'broken\n{"code":"sommer"}\n', false],
])('without a format the file is recognised: %s', async (name, text, isCsv) => {
  expect((await open(text, name)).isFlat).toBe(isCsv);
});
