import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import * as app from '../../client/app.ts';

/* The JavaScript of docs/apps.md, with stand-ins for the packages of platforms. */

const page = readFileSync(path.join(import.meta.dirname, '../../docs/apps.md'), 'utf8');

const recipeOf = (title: string): string => {
  const [, section = ''] = page.split(`\n### ${title}\n`);
  const [text = ''] = section.split(/\n##/);
  return [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).join('\n');
};

const asked: string[] = [];
const shown: string[] = [];
beforeEach(() => {
  asked.length = 0;
  shown.length = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    asked.push(String(address));
    return Response.json({ link: `https://shop.example.com/${asked.length}` });
  });
});
afterEach(() => jest.restoreAllMocks());

/** Runs a recipe. Further names are its globals. */
const run = (
  title: string,
  packages: Readonly<Record<string, object>>,
  globals: Readonly<Record<string, unknown>>,
) => {
  const { code } = transformSync(recipeOf(title), { format: 'cjs' });
  const known: Record<string, object> = { ...packages, 'dynamic-link-client/app': app };
  const load = (name: string) => known[name];
  const values = { require: load, module: {}, show: (link: string) => shown.push(link), ...globals };
  new Function(...Object.keys(values), code)(...Object.values(values));
};

/** Lets everything that waits for nothing outside go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const direct = `https://go.example.com/?link=${encodeURIComponent('https://shop.example.com/direct')}`;

test('Capacitor', async () => {
  let hear = (_: { url: string }) => undefined as unknown;
  const App = {
    addListener: (_: string, listener: typeof hear) => {
      hear = listener;
    },
  };
  run(
    'Capacitor',
    { '@capacitor/app': { App }, '@capacitor/core': { Capacitor: { getPlatform: () => 'ios' } } },
    {},
  );
  hear({ url: 'https://go.example.com/launch' });
  await settle();
  hear({ url: direct });
  hear({ url: 'https://elsewhere.example/launch' });
  await settle();
  expect(asked).toEqual(['https://go.example.com/launch/open.json?platform=ios']);
  expect(shown).toEqual(['https://shop.example.com/1', 'https://shop.example.com/direct']);
});
