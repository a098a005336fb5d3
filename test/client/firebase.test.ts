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

const shop = (own: typeof firebase = firebase): Shop => {
  const { code } = transformSync(moved, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('require', 'module', 'exports', code)(() => own, module, module.exports);
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

const settings = {
  hosts: ['go.example.com'],
  platform: 'ios' as const,
  linking: { getInitialURL: async () => null, addEventListener: () => undefined },
  storage: { getItem: async () => '[]', setItem: async () => undefined },
};

/** The module as another runtime loads it. */
const fresh = (): typeof firebase => {
  let loaded = firebase;
  jest.isolateModules(() => {
    loaded = jest.requireActual('../../client/firebase.ts');
  });
  return loaded;
};

test('diagnostics ask for the association file of the host, however it is written', async () => {
  const own = fresh();
  const asked: string[] = [];
  const fetch = async (address: string) => {
    asked.push(address);
    return { status: 200, json: async () => ({}) };
  };
  const hosts = ['go.example.com', 'short.example/acme', 'https://links.example.com/'];
  own.configure({ ...settings, hosts, fetch });
  const printed = jest.spyOn(console, 'log').mockReturnValue();
  own.default().performDiagnostics();
  for (let i = 0; i < hosts.length; i++) await settle();
  printed.mockRestore();
  expect(asked).toEqual(
    ['go.example.com', 'short.example', 'links.example.com'].map(
      (host) => `https://${host}/.well-known/apple-app-site-association`,
    ),
  );
});

describe('with a publishable key', () => {
  const publishableKey = `dlp_${'k'.repeat(40)}`;
  const sharing = { ...settings, url: 'https://api.example.com' };

  test('the app shares links, and one warning names what the template sets', async () => {
    const bodies: unknown[] = [];
    const data = { code: 'x7', shortUrl: 'https://go.example.com/x7', link: 'l', expiresAt: null };
    const fetch = async (_: string, call?: { body: string }) => {
      bodies.push(JSON.parse(call?.body ?? ''));
      return new Response(JSON.stringify({ success: true, data }), { status: 201 });
    };
    const own = fresh();
    own.configure({ ...sharing, publishableKey, fetch });
    const warned = jest.spyOn(console, 'warn').mockReturnValue();
    const app = shop(own);
    expect(await app.build()).toBe(data.shortUrl);
    expect(warned).not.toHaveBeenCalled();
    expect(await app.invite()).toBe(data.shortUrl);
    const parameters = {
      link: 'https://shop.example.com/join/42',
      domainUriPrefix: 'https://shop.page.link',
      social: { title: 'Join', descriptionText: 'Us', imageUrl: 'https://shop.example.com/a.png' },
      analytics: { source: 'app', medium: 'share', campaign: 'team', content: 'a', term: 'b' },
      navigation: { forcedRedirectEnabled: false },
    };
    await own.default().buildShortLink(parameters, own.ShortLinkType.UNGUESSABLE);
    await own.default().buildShortLink({ ...parameters, social: { title: '' }, analytics: {} });
    expect(bodies).toEqual([
      { link: 'https://shop.example.com/' },
      { link: 'https://shop.example.com/invite' },
      {
        link: parameters.link,
        social: { title: 'Join', description: 'Us', image: 'https://shop.example.com/a.png' },
        campaign: {
          utm_source: 'app',
          utm_medium: 'share',
          utm_campaign: 'team',
          utm_content: 'a',
          utm_term: 'b',
        },
      },
      { link: parameters.link },
    ]);
    expect(warned.mock.calls).toEqual([['buildShortLink ignores android.packageName']]);
    warned.mockRestore();
    const long = own.default().buildLink(parameters);
    await expect(long).rejects.toThrow('A key must not be in an app');
  });

  test('another key throws a TypeError that does not contain it', () => {
    const secret = 'dls_secretsecretsecretsecretsecretsecret';
    const act = () => fresh().configure({ ...sharing, publishableKey: secret });
    expect(act).toThrow(expect.objectContaining({ name: 'TypeError' }));
    expect(act).not.toThrow(secret);
  });
});
