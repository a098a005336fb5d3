import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { qrPng } from '../../../core/pages/qr-code.ts';
import { qrSvg } from '../../../core/pages/qr-svg.ts';
import { QrOptionError, readQrOptions } from '../../../core/qr-styles/qr-options.ts';

const shortUrl = 'https://go.example.com/launch';
const plain = readQrOptions({});

const read = (png: Buffer): string => {
  const { width, height, data } = PNG.sync.read(png);
  return decodeQR({ width, height, data });
};

test.each([
  [64, 0],
  [128, 2],
  [300, 4],
  [512, 4],
  [333, 16],
  [2048, 4],
])('a PNG of %d pixels with a margin of %d can be read', (size, margin) => {
  const png = qrPng(shortUrl, { ...plain, size, margin });
  expect(PNG.sync.read(png)).toMatchObject({ width: size, height: size });
  // Readers need a margin, and this one takes seconds for millions of pixels.
  if (margin > 0 && size < 1000) expect(read(png)).toBe(shortUrl);
});

test('a code is readable for any address', () => {
  const code = fc.stringMatching(/^[A-Za-z0-9_-]{3,50}$/);
  const host = fc.domain();
  fc.assert(
    fc.property(host, fc.option(fc.stringMatching(/^[a-z0-9-]{2,32}$/)), code, (name, folder, one) => {
      const address = `https://${name}/${folder ? `${folder}/` : ''}${one}`;
      expect(read(qrPng(address, { ...plain, size: 200 }))).toBe(address);
    }),
    { numRuns: 15 },
  );
});

test('the margin has at least the requested number of light modules on each side', () => {
  const { data, width } = PNG.sync.read(qrPng(shortUrl, { ...plain, margin: 16 }));
  const isDark = (x: number, y: number) => data[4 * (y * width + x)] === 0;
  const dark = Array.from({ length: width * width }, (_, i) => i).filter((i) =>
    isDark(i % width, Math.floor(i / width)),
  );
  const xs = dark.map((i) => i % width);
  const ys = dark.map((i) => Math.floor(i / width));
  // 29 modules of a version 3 code and 32 of margin at 8 pixels each: 16 times 8 on each side, and the rest.
  expect([Math.min(...xs), Math.min(...ys)]).toEqual([140, 140]);
  expect([Math.max(...xs), Math.max(...ys)]).toEqual([371, 371]);
});

test('an SVG has the modules of the PNG', () => {
  const svg = qrSvg(shortUrl, plain);
  const edge = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  expect(svg).toContain('width="512" height="512"');
  const png = PNG.sync.read(qrPng(shortUrl, { ...plain, size: edge }));
  const drawn = new Set([...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  for (let i = 0; i < edge * edge; i += 1) {
    const at = `${i % edge},${Math.floor(i / edge)}`;
    expect([at, png.data[4 * i] === 0]).toEqual([at, drawn.has(at)]);
  }
});

describe('other colours and levels', () => {
  test.each(['L', 'M', 'Q', 'H'] as const)('a code of level %s can be read', (level) => {
    const options = { ...plain, size: 300, color: '1b2a6b', background: 'fff3c4', level };
    const drawn = qrPng(shortUrl, options);
    expect(read(drawn)).toBe(shortUrl);
    expect([...PNG.sync.read(drawn).data.subarray(0, 4)]).toEqual([0xff, 0xf3, 0xc4, 255]);
    expect(qrSvg(shortUrl, options)).toMatch(/<path fill="#fff3c4" .*<path fill="#1b2a6b" /);
  });

  test('a transparent background lets the page show through', () => {
    const options = { ...plain, size: 300, background: 'transparent' };
    const { width, height, data } = PNG.sync.read(qrPng(shortUrl, options));
    expect(data[3]).toBe(0);
    const onWhite = data.map((value, i) => (data[i | 3] === 0 ? 255 : value));
    expect(decodeQR({ width, height, data: onWhite })).toBe(shortUrl);
    expect(qrSvg(shortUrl, options).match(/<path/g)).toHaveLength(1);
  });

  test('a PNG of the default colours has no palette', () => {
    const drawn = qrPng(shortUrl, plain);
    // One bit of grey, and its data right behind.
    expect([...drawn.subarray(24, 29)]).toEqual([1, 0, 0, 0, 0]);
    expect(drawn.toString('latin1', 37, 41)).toBe('IDAT');
  });
});

test('a size below a pixel per module is refused with the smallest possible size', () => {
  const long = `https://go.example.com/${'a'.repeat(32)}/${'b'.repeat(50)}`;
  expect(() => qrPng(long, { ...plain, size: 64, margin: 16 })).toThrow(
    new QrOptionError('This code needs a size of 73 at least with a margin of 16.'),
  );
  expect(PNG.sync.read(qrPng(long, { ...plain, size: 73, margin: 16 })).width).toBe(73);
});

describe('options', () => {
  test('have defaults', () => {
    const colors = { color: '000000', background: 'ffffff' };
    expect(readQrOptions({})).toEqual({ size: 512, margin: 4, ...colors, level: 'M' });
    expect(readQrOptions({ size: '64', margin: '0', level: 'H', other: 'x' })).toEqual({
      size: 64,
      margin: 0,
      ...colors,
      level: 'H',
    });
  });

  const sizes = ['63', '2049', '', '100px', '1e3', '-512', '512,512', '99999999999999999999'];
  test.each([
    ...sizes.map((size) => [{ size }, 'size must be a whole number from 64 to 2048.'] as const),
    ...['17', '-1', '4.5'].map(
      (margin) => [{ margin }, 'margin must be a whole number from 0 to 16.'] as const,
    ),
  ])('%j is refused in plain words', (query, message) => {
    expect(() => readQrOptions(query)).toThrow(new QrOptionError(message));
  });

  test('take colours in any case', () => {
    expect(readQrOptions({ color: '1B1F2a', background: 'FFEE00' })).toMatchObject({
      color: '1b1f2a',
      background: 'ffee00',
    });
    expect(readQrOptions({ background: 'transparent' })).toMatchObject({ background: 'transparent' });
  });

  test.each<readonly [Readonly<Record<string, string>>, string]>([
    ...['#000000', '000', '', 'transparent', '000000,000000'].map(
      (color) => [{ color }, 'color must be six hex digits'] as const,
    ),
    [{ background: 'white' }, 'background must be six hex digits without #, such as 1b1f2a, or transparent.'],
    [{ background: 'Transparent' }, 'background must be six hex digits'],
    ...['m', '', 'M,M'].map((level) => [{ level }, 'level must be L, M, Q or H.'] as const),
    // Light on dark.
    [{ color: 'ffffff', background: '000000' }, 'with a contrast of 4.5 at least; it is 0.04.'],
    [{ color: '777777' }, 'with a contrast of 4.5 at least; it is 4.47.'],
    [{ color: '777777', background: 'transparent' }, 'it is 4.47.'],
  ])('%j is refused, and why', (query, message) => {
    expect(() => readQrOptions(query)).toThrow(message);
  });

  test('the lightest grey that has enough contrast on white is taken', () => {
    expect(readQrOptions({ color: '767676' }).color).toBe('767676');
  });
});
