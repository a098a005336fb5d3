import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import * as firebase from '../../client/firebase.ts';

/* An app that was written for `@react-native-firebase/dynamic-links`, after its import lines change and one call is added. */

const written = readFileSync(path.join(import.meta.dirname, 'firebase-app/shop.ts.txt'), 'utf8');
const moved = written.replaceAll('@react-native-firebase/dynamic-links', 'dynamic-link-client/firebase');

interface Shop {
  readonly shown: string[];
  start(): Promise<() => void>;
  preview(address: string): Promise<string>;
  invite(): Promise<string>;
  build(): Promise<string>;
  diagnose(): void;
}

const shop = (): Shop => {
  const { code } = transformSync(moved, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('require', 'module', 'exports', code)(() => firebase, module, module.exports);
  return module.exports as Shop;
};

/** The service's response for an address without its query. */
const live = {
  link: 'https://shop.example.com/summer',
  campaign: { utm_source: 'mail' },
  android: { minVersion: '30' },
};
const answers: Record<string, object | undefined> = {
  'https://go.example.com/summer/open.json': live,
  'https://go.example.com/summer/link.json': live,
  'https://go.example.com/new/open.json': { ...live, campaign: null, android: { minVersion: '31' } },
  'https://go.example.com/.well-known/assetlinks.json': [{ relation: [] }],
};
const asked: string[] = [];
let isOffline = false;
const fetch = async (address: string) => {
  asked.push(address.replace(/\?.*/, ''));
  if (isOffline) throw new Error('There is no network');
  const answer = answers[address.replace(/\?.*/, '')];
  return { status: answer ? 200 : 404, json: async () => answer };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('before it is configured, each call explains what to do', async () => {
  const app = shop();
  await expect(app.start()).rejects.toThrow('Call configure(');
  await expect(firebase.default().getInitialLink()).rejects.toThrow('Call configure(');
  await expect(firebase.default().resolveLink('https://go.example.com/summer')).rejects.toThrow('configure(');
  expect(app.diagnose).toThrow('Call configure(');
});

test('the app receives, resolves and diagnoses as before; calls that need a key name the replacement', async () => {
  let emit: (event: { url: string }) => void = () => undefined;
  const settings = {
    hosts: ['go.example.com'],
    linkHosts: ['shop.example.com'],
    platform: 'android' as const,
    linking: {
      getInitialURL: async () => 'https://go.example.com/summer',
      addEventListener: (_: string, listener: typeof emit) => {
        emit = listener;
        return undefined;
      },
    },
    storage: { getItem: async () => '[]', setItem: async () => undefined },
    fetch,
  };
  const links = firebase.configure(settings);
  expect(firebase.configure(settings)).toBe(links);
  const app = shop();
  const stop = await app.start();
  const long = `https://go.example.com/?link=${encodeURIComponent('https://shop.example.com/long')}&apn=a`;
  for (const url of ['https://go.example.com/new', 'https://go.example.com/gone', long]) emit({ url });
  await settle();
  isOffline = true;
  emit({ url: 'https://go.example.com/summer?later' });
  await settle();
  expect(await app.preview('https://go.example.com/summer')).toBe('resolve-link-error');
  isOffline = false;
  expect(await links.retry()).toBe(0);
  expect(app.shown).toEqual([
    'https://shop.example.com/summer from mail',
    'update from direct',
    'https://shop.example.com/long from direct',
    'https://shop.example.com/summer from mail',
  ]);
  stop();
  emit({ url: 'https://go.example.com/new' });
  await settle();
  expect(app.shown).toHaveLength(4);

  asked.length = 0;
  expect(await app.preview('https://go.example.com/summer')).toBe('https://shop.example.com/summer');
  expect(await app.preview(long)).toBe('https://shop.example.com/long');
  expect(await app.preview('https://go.example.com/gone')).toBe('not-found');
  expect(await app.preview('https://elsewhere.example/summer')).toBe('not-found');
  expect(asked).toEqual(['https://go.example.com/summer/link.json', 'https://go.example.com/gone/link.json']);
  for (const call of [app.invite, app.build])
    await expect(call()).rejects.toThrow('A key must not be in an app');

  const printed = jest.spyOn(console, 'log').mockReturnValue();
  app.diagnose();
  await settle();
  expect(printed.mock.calls.at(-1)).toEqual([
    'https://go.example.com/.well-known/assetlinks.json',
    [{ relation: [] }],
  ]);
  printed.mockRestore();
});
