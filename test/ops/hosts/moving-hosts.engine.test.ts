import { assignDomain } from '../../../ops/hosts/domains.ts';
import { firebaseExport } from '../../support/foreign-exports.ts';
import { importText, reasonsOf } from '../../support/imports.ts';
import { fileDeployment, projectIn, searchLinks } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
});

const own = (path = '') => `https://${project}.app.link${path}`;
const ownHost = () => `${project}.app.link`;
const shop = 'https://shop.example.com/';
const refusal = "link: must not point to this service's own short host";

describe.each(['assigned', 'named by --host', 'neither'])('with a host that is %s', (state) => {
  beforeEach(async () => {
    if (state === 'assigned') await assignDomain(deployment, ownHost(), { project });
  });
  const imported = (name: string, text: string) =>
    importText(deployment, {
      ...{ project, name, text, verify: true },
      ...(state.startsWith('named') && { host: `${ownHost().toUpperCase()}.:443` }),
    });

  test.each(['$desktop_url', '$canonical_url', '$fallback_url'])(
    "Branch's links with %s don't lead to themselves",
    async (column) => {
      const row = `spring,${own('/spring')},${shop}desktop`;
      const rows = await imported('branch.csv', `alias,url,${column}\n${row}\n`);
      expect(rows).toMatchObject([{ code: 'spring', result: 'created', reason: '' }]);
      expect((await searchLinks(deployment, project))[0]?.payload.link).toBe(`${shop}desktop`);
    },
  );

  test('a destination on it is refused, whatever its port and however it is written', async () => {
    const places = [
      ownHost(),
      `${ownHost()}:8443`,
      `${ownHost()}.`,
      `${ownHost().toUpperCase()}.:443`,
      shop.slice(8, -1),
    ];
    // The short URLs come first in some rows and last in others: the whole file names its own hosts.
    const rows = places.map((place, i) => `https://${place}/${i},${i === 4 ? own('/last') : ''},code-${i}`);
    const outcomes = await imported('dub.csv', ['url,short link,key', ...rows].join('\n'));
    expect(reasonsOf(outcomes)).toEqual([...Array(4).fill(['refused', refusal]), ['created', '']]);
  });
});

test.each([
  [
    'firebase.csv',
    () =>
      firebaseExport([
        { short_link: own('/one'), link: own('/two') },
        { short_link: own('/two'), link: shop },
      ]),
  ],
  ['bitly.csv', () => `bitlink,long_url\n${own('/one')},${own('/two')}\n${own('/two')},${shop}\n`],
  [
    'links.ndjson',
    () =>
      [own('/two'), shop]
        .map((link, i) => JSON.stringify({ code: `code-${i}`, shortUrl: own('/x'), payload: { link } }))
        .join('\n'),
  ],
  ['links.csv', () => `code,link,shortUrl\none,${own('/two')},${own('/one')}\ntwo,${shop},${own('/two')}\n`],
  ['no-host.csv', () => `code,link\none,https://${ownHost()}:8443/two\ntwo,${shop}\n`],
])('%s names its own host by its short URLs, or --host does', async (name, text) => {
  if (name === 'firebase.csv') await assignDomain(deployment, ownHost(), { project });
  const host = name === 'no-host.csv' ? `${ownHost().toUpperCase()}.:443` : undefined;
  const rows = await importText(deployment, { project, name, text: text(), host });
  expect(reasonsOf(rows)).toEqual([
    ['refused', `${name.endsWith('.csv') ? '' : 'payload.'}${refusal}`],
    ['created', ''],
  ]);
});

test('a Branch link without an alias has the last part of its URL, and goes where the first of its addresses leads', async () => {
  const text = [
    'alias,url,$fallback_url,$canonical_url',
    `,${own('/AbC123')},,${shop}canonical`,
    `two,${own('/two')},${shop}fallback,${shop}canonical`,
    `three,${own('/three')},,`,
  ].join('\n');
  const rows = await importText(deployment, { project, name: 'branch.csv', text });
  expect(rows.map(({ code, result }) => [code, result])).toEqual([
    ['AbC123', 'created'],
    ['two', 'created'],
    ['three', 'refused'],
  ]);
  const links = await searchLinks(deployment, project);
  expect(links.map(({ payload }) => payload.link).sort()).toEqual([`${shop}canonical`, `${shop}fallback`]);
});

test("a file with only Branch's short links is refused", async () => {
  const text = `alias,url,$og_title\nspring,${own('/spring')},Spring\n`;
  await expect(importText(deployment, { project, name: 'branch.csv', text })).rejects.toThrow(
    "has no column 'link'",
  );
});
