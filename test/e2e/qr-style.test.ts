import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { userAgents } from '../../ops/base/user-agents.ts';
import { faultsOf } from '../support/accessibility.ts';
import { coded, newProject, storesOf } from '../support/api.ts';
import { describeInBrowser, downloadBy, expectSoon, fileTab, hold } from '../support/browser.ts';
import { signInto } from '../support/console-page.ts';
import { sendRaw } from '../support/raw-request.ts';
import { ownStack, sharedStack } from '../support/stack-fixtures.ts';

const pngOf = (width: number, height: number, color = [0xa0, 0, 0, 255]): Buffer => {
  const picture = new PNG({ width, height });
  picture.data.fill(Buffer.from(color));
  return PNG.sync.write(picture);
};
/** The beginning of a JPEG file with this frame header, behind an empty segment. */
const jpegOf = (width: number, height: number): Buffer => {
  const start = Buffer.from('ffd8ffe00002ffc20011080000000003012200021101031101', 'hex');
  start.writeUInt16BE(height, 11);
  start.writeUInt16BE(width, 13);
  return start;
};
const png = pngOf(2, 2);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>';
const dataUrl = (type: string, content: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(content).toString('base64')}`;
/** A PNG whose header claims this size. */
const pngClaiming = (width: number, height: number): string => {
  const claims = Buffer.from(png);
  claims.writeUInt32BE(width, 16);
  claims.writeUInt32BE(height, 20);
  return dataUrl('png', claims);
};
const logos = {
  png: dataUrl('png', png),
  'of four million pixels': pngClaiming(4000, 1000),
  jpeg: dataUrl('jpeg', jpegOf(1000, 4000)),
  // As large as a logo may be: 20,478 bytes, because Base64 comes in fours.
  large: dataUrl('png', Buffer.concat([png, Buffer.alloc(15_342 - png.length)])),
};
const shared = sharedStack();
const unset = { color: null, background: null, level: null, logo: null };

test('a style is replaced as a whole, and belongs to its project', async () => {
  const [project, other] = [await newProject(shared), await newProject(shared)];
  const get = async ({ call } = project) => (await call('GET', '/qr-style')).body;
  const put = async (body: object) => (await project.call('PUT', '/qr-style', body)).body;
  expect(await get()).toEqual({ success: true, data: unset });
  const style = { color: '1B2A6b', background: 'transparent', level: 'Q', logo: logos.png };
  const stored = { success: true, data: { ...style, color: '1b2a6b' } };
  expect([await put(style), await get(), await get(other)]).toEqual([
    stored,
    stored,
    { success: true, data: unset },
  ]);
  for (const [name, logo] of Object.entries(logos))
    expect([name, (await put({ logo })).data?.logo === logo]).toEqual([name, true]);
  // Unknown names are ignored, so that a response can be sent back.
  expect((await put({ ...unset, level: 'L', updatedAt: 'x' })).data).toEqual({ ...unset, level: 'L' });
  expect((await put({})).data).toEqual(unset);

  const [reader, writer] = [await project.keyWith(['links:read']), await project.keyWith(['links:write'])];
  for (const [method, key, status] of [
    ['GET', reader, 200],
    ['PUT', reader, 403],
    ['GET', writer, 403],
    ['PUT', writer, 200],
  ] as const)
    expect(
      (await shared.api(method, '/qr-style', { key, ...(method === 'PUT' && { body: {} }) })).status,
    ).toBe(status);
});

describe('for visitors', () => {
  const styled = async (style?: object) => {
    const project = await newProject(shared);
    const payload = { link: 'https://example.com', interstitial: 'always' };
    const { body } = await project.call('POST', '/links', { code: 'poster', payload });
    const ask = async (rest: string) => {
      const {
        status,
        headers,
        body: sent,
      } = await sendRaw(`${body.data.shortUrl}${rest}`, {
        headers: { 'User-Agent': userAgents.iphone },
      });
      return { status, headers, sent, text: String(sent) };
    };
    const set = async (next: object) =>
      expect((await project.call('PUT', '/qr-style', next)).status).toBe(200);
    if (style) await set(style);
    return { project, ask, set, text: `${body.data.shortUrl}?qr` };
  };
  const style = { color: '1b2a6b', background: 'fff3c4', logo: logos.png };

  test('codes follow the style at once, unless the address names one', async () => {
    const { ask, set, text } = await styled();
    const files = ['/qr.svg', '/qr.png', '/qr.png?size=300'];
    const plain = await Promise.all(files.map(ask));
    expect(plain[0]?.headers['cache-control']).toBe('public, max-age=86400, s-maxage=0');
    await set(style);
    const vector = await ask('/qr.svg');
    expect(vector.headers['cache-control']).toBe('public, max-age=300, s-maxage=0');
    expect(vector.text).toMatch(/<path fill="#fff3c4" .*<path fill="#1b2a6b" /);
    expect(vector.text).toContain(`<image href="${logos.png}"`);
    for (const [file, edge] of [
      ['/qr.png', 512],
      ['/qr.png?size=301&margin=6', 301],
    ] as const) {
      const picture = PNG.sync.read((await ask(file)).sent);
      const at = (x: number) =>
        picture.data.subarray(4 * (x * edge + x), 4 * (x * edge + x) + 4).toString('hex');
      expect([picture.width, decodeQR(picture), at(0), at(Math.floor(edge / 2))]).toEqual([
        ...[edge, text, 'fff3c4ff', 'a00000ff'],
      ]);
    }
    for (const named of ['color=000000', 'background=ffffff', 'level=M'])
      expect((await ask(`/qr.svg?${named}`)).text).toBe(plain[0]?.text);
    await set({});
    expect((await Promise.all(files.map(ask))).map(({ sent }) => sent)).toEqual(
      plain.map(({ sent }) => sent),
    );
  });

  test.each([
    [
      'a transparent background',
      { ...style, background: 'transparent', logo: dataUrl('png', pngOf(9, 3, [0, 90, 0, 128])) },
    ],
    ['a JPEG logo', { logo: logos.jpeg }],
    ['a damaged logo', { logo: pngClaiming(2000, 2000) }],
  ])('a code with %s can be read', async (_, chosen) => {
    const { ask, text } = await styled(chosen);
    const picture = PNG.sync.read((await ask('/qr.png')).sent);
    picture.data = picture.data.map((value, i, all) => (all[i | 3] === 0 ? 255 : value)) as Buffer;
    expect(decodeQR(picture)).toBe(text);
  });

  test('a size that is too small for the style shows the default one', async () => {
    const { ask, text } = await styled(style);
    const { status, sent } = await ask('/qr.png?size=64&margin=15');
    expect([status, PNG.sync.read(sent).data.subarray(0, 3).toString('hex')]).toEqual([200, 'ffffff']);
    expect(text).toContain('?qr');
    expect((await ask('/qr.png?size=63')).status).toBe(400);
  });

  test('interstitial pages show its logo and colour', async () => {
    const { ask, set } = await styled();
    expect((await ask('')).headers['content-security-policy']).not.toContain('data:');
    await set(style);
    const { headers, text } = await ask('');
    expect(headers['content-security-policy']).toContain('img-src https: http: data:');
    expect(text).toContain(`<img class="logo" src="${logos.png}" alt="">`);
    expect(text).toContain('background: #1b2a6b');
  });

  test('a logo of an earlier version that could take minutes to draw is left out', async () => {
    const { ask, project } = await styled();
    const logo = dataUrl('svg+xml', svg);
    await storesOf(shared).qrStyles.put(project.id, { ...unset, color: '1b2a6b', logo });
    expect((await project.call('GET', '/qr-style')).body.data).toEqual({ ...unset, color: '1b2a6b' });
    const drawn = await ask('/qr.svg');
    expect([drawn.text.includes('<image'), drawn.text.includes('#1b2a6b')]).toEqual([false, true]);
    expect((await ask('')).text).not.toContain('<img');
  });
});

const hex = 'must be six hex digits without #, such as 1b1f2a';
const picture =
  'logo: must be a data URL of a PNG or JPEG image of at most 4 million pixels, such as data:image/png;base64,…';

test.each<[string, object, string]>([
  ['#1b2a6b', { color: '#1b2a6b' }, `color: ${hex}`],
  ['three digits', { color: 'abc', background: 'fff' }, `color: ${hex}; background: ${hex}, or transparent`],
  ['no colour', { color: 'transparent' }, `color: ${hex}`],
  ['a number', { color: 123_456 }, 'color: must be a string'],
  [
    'pale',
    { color: 'ffee00' },
    'color: must be darker than background, with a contrast of 4.5 at least; it is 1.2',
  ],
  [
    'dark on dark',
    { background: '111111' },
    'color: must be darker than background, with a contrast of 4.5 at least; it is 1.11',
  ],
  ['level', { level: 'h' }, 'level: must be L, M, Q or H'],
  [
    'misspelt',
    { colour: '1b2a6b', backgroud: 'ffffff' },
    'colour: is unknown; use color; backgroud: is unknown; use background',
  ],
  ['too large', { logo: `${logos.large}AAAA` }, 'logo: must have at most 20480 characters'],
  ['an address', { logo: 'https://example.com/logo.png' }, picture],
  ['WebP', { logo: dataUrl('webp', 'RIFF') }, picture],
  ['a page', { logo: 'data:text/html,<script>alert(1)</script>' }, picture],
  ['another content', { logo: dataUrl('png', svg) }, picture],
  ['not Base64', { logo: 'data:image/png;base64,iVBORw0KGgo!' }, picture],
  ['Base64 for file names', { logo: 'data:image/png;base64,iVBORw0KGgo_' }, picture],
  ['Base64 cut short', { logo: 'data:image/png;base64,iVBORw0KGgoAA' }, picture],
  ['PNG without Base64', { logo: 'data:image/png,%89PNG' }, picture],
  ['SVG', { logo: dataUrl('svg+xml', svg) }, picture],
  ['SVG as PNG', { logo: dataUrl('png', svg) }, picture],
  ['more than four million pixels', { logo: pngClaiming(4001, 1000) }, picture],
  ['a picture without pixels', { logo: pngClaiming(0, 1000) }, picture],
  ['PNG without a header', { logo: dataUrl('png', png.subarray(0, 8)) }, picture],
  ['PNG with two headers', { logo: dataUrl('png', Buffer.concat([png, png.subarray(8)])) }, picture],
  ['a larger JPEG', { logo: dataUrl('jpeg', jpegOf(2001, 2000)) }, picture],
  ['JPEG without a frame', { logo: dataUrl('jpeg', Buffer.from('ffd8ffe0', 'hex')) }, picture],
  [
    'JPEG with many scans',
    { logo: dataUrl('jpeg', Buffer.concat([jpegOf(9, 9), Buffer.alloc(200, Buffer.of(0xff, 0xda))])) },
    picture,
  ],
  ['empty', { logo: '' }, picture],
])('%s is refused by name', async (_, body, message) => {
  const { status, body: refused } = await shared.api('PUT', '/qr-style', { body });
  expect([status, refused]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(refused.error.message).toBe(message);
});

describeInBrowser('in both consoles', () => {
  const brand = {
    name: 'Müller & Söhne',
    logo: path.join(mkdtempSync(path.join(tmpdir(), 'logo-')), 'logo'),
  };
  writeFileSync(brand.logo, svg.replace(' d=', ' fill="#008000" d='));
  afterAll(() => rmSync(path.dirname(brand.logo), { recursive: true }));
  const stack = ownStack(
    ...['--memory', '--sign-in', '--console-port', '0'],
    ...['-c', `consoleName=${brand.name}`, '-c', `consoleLogo=${brand.logo}`],
  );
  const tab = fileTab();
  beforeAll(() =>
    stack.api('POST', '/links', { body: { code: 'styled', payload: { link: 'https://example.com' } } }),
  );

  const desktop = { viewport: { width: 1280, height: 900 } };
  const phone = { viewport: { width: 320, height: 844 }, colorScheme: 'dark' as const };
  const asMember = async (page: Page, role: string) => {
    await signInto(page, stack.facts.memberConsoleUrl, `${role}@example.com`);
    await page.goto(`${stack.facts.memberConsoleUrl}/p/demo/links/styled`);
  };
  const asOperator = async (page: Page) => {
    await page.goto(stack.facts.consoleUrl);
    await page.getByRole('heading', { name: /^(Projects|Links)$/ }).waitFor();
    await page.goto(`${new URL(stack.facts.consoleUrl).origin}/p/demo/links/styled`);
  };
  const open = (page: Page) => page.getByText('Logo, colours, size and error correction').click();
  const downloaded = async (page: Page, type: 'PNG' | 'SVG') =>
    (await downloadBy(page.getByRole('link', { name: `Download ${type}` }))).content;
  const chooseLogo = (page: Page, name: string, mimeType: string, content: string | Buffer) =>
    page.getByLabel('Logo').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
  /** The text of the code, and the colours of its corner and its middle. */
  const drawn = async (page: Page) => {
    const png = PNG.sync.read(await downloaded(page, 'PNG'));
    const { width, data } = png;
    const at = (x: number) => data.subarray((x * width + x) * 4, (x * width + x) * 4 + 3).toString('hex');
    return [decodeQR(png), at(Math.round(width / 8)), at(width / 2)];
  };
  test('both bear the name of the company, and the one of members its logo', async () => {
    const page = await tab.of(phone);
    for (const [enter, isLogo] of [
      [() => asMember(page, 'viewer'), true],
      [() => asOperator(page), false],
    ] as const) {
      await enter();
      await expectSoon(() => page.title()).toBe(`styled · Demo · ${brand.name}`);
      await expectSoon(() => page.locator('.brand').textContent()).toBe(brand.name);
      const logo = page.locator('.brand img');
      await expectSoon(() =>
        page.evaluate("document.querySelector('.brand img').naturalWidth"),
      ).toBeGreaterThan(0);
      const sources = expect.stringMatching(/^data:image\/svg\+xml;base64,/);
      await expectSoon(() => logo.getAttribute('src')).toEqual(
        isLogo ? sources : expect.not.stringMatching(/^data/),
      );
      expect(await faultsOf(page)).toEqual([]);
    }
  });

  test('an editor and an operator choose how all codes look, and everybody sees them so', async () => {
    const text = `${stack.facts.shortBaseUrl}/styled?qr`;
    const page = await tab.of(desktop);
    const ran: string[] = [];
    page.on('dialog', (dialog) => void ran.push(dialog.message()));
    await asMember(page, 'editor');
    const served = await stack.visit('/styled/qr.svg');
    expect(String(await downloaded(page, 'SVG'))).toBe(served.text);
    await open(page);
    await page.getByLabel('Colour').fill('#1b2a6b');
    const uses = Array.from(
      { length: 8 },
      (_, i) => `<g id="a${i}">${`<use href="#a${i - 1}"/>`.repeat(10)}</g>`,
    );
    const slow = svg.replace('<path', `${uses.join('')}<path`);
    await chooseLogo(page, 'a.svg', 'image/svg+xml', slow);
    await page.getByText('could take very long to draw').waitFor();
    const scripted = svg
      .replace('<path', '<script>alert(1)</script><path')
      .replace('viewBox', 'onload="alert(2)" width="90" height="90" viewBox')
      .replace(' d=', ' fill="#a00000" d=');
    await chooseLogo(page, 'logo.svg', 'image/svg+xml', scripted);
    await page.getByText('With a logo it is H.').waitFor();
    await page.getByRole('button', { name: 'Use for all links of the project' }).click();
    await page.getByText('QR style saved').waitFor();
    expect((await stack.api('GET', '/qr-style')).body.data).toEqual({
      ...{ ...unset, color: '1b2a6b' },
      logo: expect.stringMatching(/^data:image\/png;base64,/),
    });

    await asMember(page, 'viewer');
    expect(await drawn(page)).toEqual([text, '1b2a6b', 'a00000']);
    // The public address has the same picture.
    await page.getByText('Also served at').waitFor();
    expect(String(await downloaded(page, 'SVG'))).toBe((await stack.visit('/styled/qr.svg')).text);
    await open(page);
    await expectSoon(() => page.getByRole('button', { name: 'Use for all' }).count()).toBe(0);
    await expectSoon(() => page.getByRole('link', { name: 'Settings' }).count()).toBe(0);

    await asOperator(page);
    expect(await drawn(page)).toEqual([text, '1b2a6b', 'a00000']);
    expect(await faultsOf(await tab.of(phone))).toEqual([]);
    await open(page);
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    // Too large as a file, so it is stored with fewer pixels.
    const noise = new PNG({ width: 300, height: 300 });
    noise.data = noise.data.map((_, i) => (i % 4 === 3 ? 255 : (i * 7919) % 251)) as Buffer;
    await chooseLogo(page, 'logo.png', 'image/png', PNG.sync.write(noise));
    await page.getByText('With a logo it is H.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Colour').fill('#203a20');
    await page.getByRole('button', { name: 'Use for all links of the project' }).click();
    await page.getByText('QR style saved').waitFor();
    expect((await stack.api('GET', '/qr-style')).body.data).toEqual({
      ...{ ...unset, color: '203a20' },
      logo: expect.stringMatching(/^data:image\/png;base64,/),
    });
    // The settings have the style without any link. Saving waits for it, because it stores the logo again.
    const release = await hold(page, 'qrStyle');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Colour').fill('#203a21');
    const useForAll = page.getByRole('button', { name: 'Use for all links of the project' });
    await expectSoon(() => useForAll.isDisabled()).toBe(true);
    release();
    await useForAll.click();
    await page.getByText('QR style saved').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await stack.api('GET', '/qr-style')).body.data).toMatchObject({
      ...{ color: '203a21' },
      logo: expect.stringMatching(/^data:image\/png;base64,/),
    });
    await asMember(page, 'editor');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('img', { name: 'QR code of' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await asOperator(page);
    expect(ran).toEqual([]);
    // A link's form also draws by it.
    await page.goto(page.url().replace('styled', 'styled/edit'));
    const corner = `(() => {
      const canvas = document.querySelector('.qr canvas');
      const at = Math.round(canvas.width / 8);
      return [...canvas.getContext('2d').getImageData(at, at, 1, 1).data].join();
    })()`;
    await expectSoon(() => page.evaluate(corner)).toBe('32,58,33,255');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Reset to the default' }).click();
    await page.getByText('QR style saved').waitFor();
    expect((await stack.api('GET', '/qr-style')).body.data).toEqual(unset);
  });
});
