import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { readLinkFiles, wantedLinks } from '../../client/program/link-file.ts';
import { newFolder } from '../support/folder.ts';
import { runs } from '../support/nightly.ts';

const read = (...texts: string[]) =>
  wantedLinks(texts.map((text, index) => ({ file: `${'ab'[index]}.yaml`, text })));

const link = 'payload: { link: https://a.com }';

const example = `
owner: web-campaigns
defaults: { tags: [web], payload: { campaign: { utm_source: poster, utm_medium: print } } }
links:
  launch: { name: Launch, payload: { link: https://example.com/launch, ios: { app_store_id: "123456789" } } }
  old:    { status: PAUSED, tags: [Print], payload: { link: https://example.com/, campaign: { utm_source: mail } } }
`;

test('an entry is its own values, those of the defaults, and the tag of its owner', () => {
  const { owners, links } = read(example);
  expect(owners).toEqual(['web-campaigns']);
  expect([...links.values()]).toEqual([
    {
      code: 'launch',
      owner: 'web-campaigns',
      status: 'ACTIVE',
      state: {
        name: 'Launch',
        tags: ['managed:web-campaigns', 'web'],
        payload: {
          campaign: { utm_source: 'poster', utm_medium: 'print' },
          link: 'https://example.com/launch',
          ios: { app_store_id: '123456789' },
        },
      },
    },
    {
      code: 'old',
      owner: 'web-campaigns',
      status: 'PAUSED',
      state: {
        tags: ['managed:web-campaigns', 'print', 'web'],
        payload: {
          campaign: { utm_source: 'mail', utm_medium: 'print' },
          link: 'https://example.com/',
        },
      },
    },
  ]);
});

test('a JSON file gives the same', () => {
  const file = { owner: 'a', links: { '007': { payload: { link: 'https://example.com/' } } } };
  const json = JSON.stringify(file, null, '\t');
  expect(read(json)).toEqual(read('owner: a\nlinks:\n  007: { payload: { link: https://example.com/ } }'));
});

test('a code is the text as it is written', () => {
  const codes = '007 0x1F 1_000 1e3 true null ~~~ "quoted" 2026-11-22 .NaN 0o14'.split(' ');
  const valid = codes.filter((code) => /^[\w-]{3,}$/.test(code));
  const text = valid.map((code) => `  ${code}: { payload: { link: https://example.com/ } }`).join('\n');
  expect([...read(`owner: a\nlinks:\n${text}`).links.keys()]).toEqual(valid);
  // The same number, but different codes.
  expect(read(`owner: a\nlinks:\n  007: { ${link} }\n  0007: { ${link} }`).links.size).toBe(2);
});

test('several files may have one owner, or several', () => {
  const file = (owner: string, code: string) => `owner: ${owner}\nlinks: { ${code}: { ${link} } }`;
  expect(read(file('a', 'one'), file('a', 'two')).owners).toEqual(['a']);
  expect(read(file('a', 'one'), file('b', 'two')).owners).toEqual(['a', 'b']);
});

test('null is the same as nothing, also where there is a default', () => {
  const defaults = '{ payload: { ios: { bundleId: com.a }, social: { title: Title } } }';
  const nulls = '{ name: null, payload: { link: https://a.com, ios: null, social: { title: null } } }';
  const text = `owner: a\ndefaults: ${defaults}\nlinks: { abc: ${nulls}, def: null }`;
  expect(read(text).links.get('abc')?.state).toEqual({
    tags: ['managed:a'],
    payload: { link: 'https://a.com' },
  });
});

const entry = (text: string) => `owner: a\nlinks: { abc: { ${text} } }`;
const withPayload = (text: string) => entry(`payload: { link: https://a.com, ${text} }`);

test.each([
  ['no owner', `links: { abc: { ${link} } }`, /a.yaml: owner: is required/],
  ['an owner in capitals', 'owner: Web', /a.yaml: owner: must match/],
  ['a long owner', `owner: ${'a'.repeat(25)}`, /a.yaml: owner: must match/],
  ['no mapping', '- a', /a.yaml: must be object/],
  ['nothing', '', /a.yaml: must be object/],
  ['broken YAML', 'owner: [', /a.yaml: Flow sequence/],
  ['an unknown key of the file', 'owner: a\nlink: {}', /link: is unknown; known are owner, defaults, links/],
  ['an unknown key of the defaults', 'owner: a\ndefaults: { name: x }', /defaults.name: is unknown/],
  ['an unknown key of an entry', entry(`${link}, tag: [a]`), /links.abc.tag: is unknown; known are .*tags/],
  ['an unknown key of a payload', withPayload('url: a'), /payload.url: is unknown/],
  ['saveApp', withPayload('ios: { saveApp: true }'), /ios.saveApp: is unknown/],
  ['appName', withPayload('ios: { appName: A }'), /ios.appName: is unknown/],
  ['an unknown key of a rule', withPayload('rules: [{ county: [DE] }]'), /rules.0.county: is unknown/],
  ['a code inside', entry(`code: abc, ${link}`), /links.abc.code: is unknown/],
  ['a number for a text', withPayload('ios: { app_store_id: 1 }'), /app_store_id: must be string/],
  ['another status', entry(`${link}, status: EXPIRED`), /status: must be one of ACTIVE, PAUSED/],
  ['a bad code', `owner: a\nlinks: { a.b: { ${link} } }`, /links.a.b: a code is 3 to 50/],
  ['a key that is no text', 'owner: a\n? [b]\n: c', /a.yaml: every key must be a text/],
  ['an alias of nothing', 'owner: *a', /a.yaml: Unresolved alias/],
  ['a code twice', `owner: a\nlinks:\n  abc: { ${link} }\n  "abc": {}`, /line 4: the key abc comes twice/],
  ['a JSON key twice', '{"owner": "a", "owner": "b"}', /line 1: the key owner comes twice/],
  ['a second document', `owner: a\nlinks: {}\n---\n${entry(link)}`, /multiple documents/],
  ['a set', 'owner: a\nlinks: !!set { abc }', /Unresolved tag/],
  ['an ordered map', `owner: a\nlinks: !!omap [abc: { ${link} }]`, /Unresolved tag/],
  ['a tag of its own', 'owner: !secret a', /Unresolved tag/],
  ['brackets too deep', `owner: a\nlinks: ${'['.repeat(101)}`, /: is nested more than 100 levels deep$/],
  ['JSON too deep', '{"a":'.repeat(100_000), /: is nested more than 100 levels deep$/],
  ['dashes too deep', '- '.repeat(100_000), /: is nested more than 100 levels deep$/],
  ['tags too deep', '- !a &b '.repeat(100_000), /: is nested more than 100 levels deep$/],
  ['a syntax error', 'owner: a\nlinks: "', /: Missing closing "quote at line 2, column 9$/],
])('%s is refused', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('brackets in texts, and links that follow each other, nest nothing', () => {
  const name = JSON.stringify('[{'.repeat(60));
  const links = Array.from({ length: 120 }, (_, i) => `c-${i}: { name: ${name}, tags: [a], ${link} }`);
  expect(read(`owner: a\nlinks: { ${links.join(', ')} }`).links.size).toBe(120);
});

test('a code in two files is refused, whatever their owners', () => {
  const file = (owner: string) => `owner: ${owner}\nlinks: { abc: { ${link} } }`;
  expect(() => read(file('a'), file('a'))).toThrow(/b.yaml: links.abc: a.yaml has this code, too/);
  expect(() => read(file('a'), file('b'))).toThrow(/b.yaml: links.abc: a.yaml has this code, too/);
});

test('names in a file steer neither the terminal nor the log of a workflow', () => {
  const key = JSON.stringify('\n::stop-commands::x\u001b[2J\u202e');
  for (const text of [
    `owner: a\nlinks: { ${key}: { ${link} } }`,
    `owner: a\n${key}: 1`,
    `owner: a\n${key}: 1\n${key}: 2`,
    `owner: "${'\u202e'}`,
  ])
    expect(() => read(text)).toThrow(/^(a.yaml: [^\p{C}]*\n?)+$/u);
});

test('a file in another encoding is refused', async () => {
  const file = path.join(newFolder(), 'latin.yaml');
  await writeFile(file, Buffer.from(`owner: a\nlinks: { abc: { name: "\xfc", ${link} } }`, 'latin1'));
  await expect(readLinkFiles([file])).rejects.toThrow(`${file}: isn't in UTF-8`);
  await expect(readLinkFiles([`${file}x`])).rejects.toThrow("can't be read (ENOENT)");
});

test('every fault of every file is reported at once', () => {
  expect(() => read('owner: A', `owner: b\nlinks: { abc: { ${link}, x: 1 } }`)).toThrow(
    /a.yaml: owner[\s\S]*b.yaml: links.abc.x/,
  );
});

test('any text is read or refused', () => {
  const word = fc.constantFrom(
    ...['owner: a\n', 'links:\n', '  abc: ', 'payload: ', '!!str ', '<<: ', '&x ', '*x', '? ', '- '],
    ...['{ ', ' }', '[', ']', ':', '"', '\n'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 4 })), { maxLength: 12 }), (words) => {
      try {
        read(words.join(''));
      } catch (error) {
        expect((error as Error).constructor.name).toBe('InputError');
      }
    }),
    { numRuns: runs(100) },
  );
});
