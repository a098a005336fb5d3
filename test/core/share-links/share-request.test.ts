import { readBody } from '../../../core/api/request.ts';
import { Failure } from '../../../core/base/failure.ts';
import { type ShareRequest, sharedPayload, shareRequest } from '../../../core/share-links/share-request.ts';
import { contentId } from '../../../core/share-links/share-template.ts';
import { readShareTemplate } from '../../../core/share-links/share-template-schema.ts';

const link = 'https://shop.example/join';

/** The paths of a failure's faults. */
const faultsOf = (act: () => unknown): string[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error.faults.map(({ field }) => field);
    throw error;
  }
  return [];
};

const share = (template: object, request: unknown) =>
  sharedPayload(
    readShareTemplate({ payload: { link }, ...template }),
    readBody(shareRequest, request) as ShareRequest,
  );

test('a template fills in its defaults', () => {
  expect(readShareTemplate({ payload: { link } })).toEqual({
    payload: { link, query: 'append' },
    allow: [],
    imageHosts: ['shop.example'],
    expiresInDays: 90,
    tags: [],
    perHour: 5000,
    maxLinks: 100_000,
  });
});

test.each<[faults: string[], template: object]>([
  [['payload'], {}],
  [['payload.link'], { payload: {} }],
  [['payload.rules', 'colour'], { payload: { link, rules: [] }, colour: 1 }],
  [['payload.ios.saveApp'], { payload: { link, ios: { saveApp: true } } }],
  [['allow.1'], { payload: { link }, allow: ['data', 'ios'] }],
  [['allow'], { payload: { link }, allow: Array.from({ length: 11 }, (_, i) => `link.query.${i}`) }],
  [
    ['imageHosts.0', 'imageHosts.1'],
    { payload: { link }, imageHosts: ['https://a.example', 'a.example:8443'] },
  ],
  [['tags'], { payload: { link }, tags: ['a', 'b', 'c', 'd'] }],
  [
    ['expiresInDays', 'perHour', 'maxLinks'],
    { payload: { link }, expiresInDays: 0, perHour: 50_001, maxLinks: 1.5 },
  ],
  [
    [''],
    {
      payload: { link, social: { description: 'a'.repeat(2000) }, data: {} },
      allow: Array(1000).fill('data'),
    },
  ],
])('a template has the faults %j', (faults, template) => {
  expect(faultsOf(() => readShareTemplate(template)).sort()).toEqual([...faults].sort());
});

test('a request adds what its template allows', () => {
  const template = {
    payload: { link, social: { title: 'Join' }, data: { team: 'a' }, campaign: { utm_source: 'app' } },
    allow: ['link.path', 'social.title', 'data', 'campaign.utm_source'],
  };
  const request = {
    link: `${link}/7`,
    social: { title: 'Join Ann', description: null },
    data: { by: 'ann' },
    campaign: { utm_source: 'ios' },
  };
  expect(share(template, request)).toEqual({
    link: `${link}/7`,
    query: 'append',
    social: { title: 'Join Ann' },
    data: { team: 'a', by: 'ann' },
    campaign: { utm_source: 'ios' },
  });
});

test('a request without an address leads to that of the template, whatever its query contains', () => {
  const odd = 'https://shop.example/join?a=b\\c&a=d';
  expect(share({ payload: { link: odd } }, {}).link).toBe(odd);
});

const texts = { allow: ['social.title', 'social.description'] };

test.each<[faults: string[], template: object, request: unknown]>([
  [[''], {}, []],
  [['colour', 'social.colour'], {}, { colour: 1, social: { colour: 1 } }],
  [
    ['social.title', 'data', 'campaign.utm_term'],
    {},
    { social: { title: 'a' }, data: { a: 'b' }, campaign: { utm_term: 'x' } },
  ],
  [['link'], {}, { link: `${link}/7` }],
  [['link'], { allow: ['link.path'] }, { link: `${link}/${'a/'.repeat(1015)}` }],
  [['link'], {}, { link: 'https://ann:pass@shop.example/join' }],
  [['data.team'], { payload: { link, data: { team: 'a' } }, allow: ['data'] }, { data: { team: 'b' } }],
  [
    ['data'],
    { payload: { link, data: { a: 'x'.repeat(500), c: 'xxxxxxxxxx' } }, allow: ['data'] },
    { data: { b: 'x'.repeat(500) } },
  ],
  [['social.title'], texts, { social: { title: 'a'.repeat(81) } }],
  [['social.description'], texts, { social: { description: 'two\nlines' } }],
  ...['see evil.example', 'www.x', 'a://b', 'пример.рф', 'a。cn', 'x.com.1', 'Hello.World'].map(
    (title): [string[], object, object] => [['social.title'], texts, { social: { title } }],
  ),
  ...[
    'http://shop.example/a.png',
    'https://shop.example:8443/a.png',
    'https://evil.example/a.png',
    'https://a.shop.example/',
  ].map((image): [string[], object, object] => [
    ['social.image'],
    { allow: ['social.image'] },
    { social: { image } },
  ]),
])('a request has the faults %j', (faults, template, request) => {
  expect(faultsOf(() => share(template, request)).sort()).toEqual([...faults].sort());
});

test.each(['Version 2.0', 'e.g. 3.5 or U.S.A', 'One. Two', 'Ann & Bob: 10:30'])(
  '%j holds no web address',
  (title) => {
    expect(faultsOf(() => share(texts, { social: { title } }))).toEqual([]);
  },
);

test('an image may be on a subdomain if the template says so', () => {
  const template = { allow: ['social.image'], imageHosts: ['*.img.example'] };
  for (const host of ['img.example', 'a.b.img.example'])
    expect(faultsOf(() => share(template, { social: { image: `https://${host}/a` } }))).toEqual([]);
  expect(faultsOf(() => share(template, { social: { image: 'https://aimg.example/a' } }))).toEqual([
    'social.image',
  ]);
});

test('equal contents have one identity, whatever the order of names', () => {
  const id = contentId('key-1', ['a'], { link, data: { a: '1', b: '2' } });
  expect(contentId('key-1', ['a'], { data: { b: '2', a: '1' }, link, social: undefined })).toBe(id);
  const others = [
    contentId('key-2', ['a'], { link, data: { a: '1', b: '2' } }),
    contentId('key-1', [], { link, data: { a: '1', b: '2' } }),
    contentId('key-1', ['a'], { link, data: { a: '1', b: '3' } }),
  ];
  expect(others).not.toContain(id);
});

test('a refusal of a parameter without a name shows quotes', () => {
  const twice = () => share({ payload: { link }, allow: ['link.query'] }, { link: `${link}?=1&=2` });
  expect(twice).toThrow(
    expect.objectContaining({
      faults: [{ field: 'link', message: 'must not have the parameter "" twice' }],
    }),
  );
});
