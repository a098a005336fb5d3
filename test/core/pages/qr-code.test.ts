import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { qrPng, qrSvg } from '../../../core/pages/qr-code.ts';
import { QrOptionError, readQrOptions } from '../../../core/pages/qr-options.ts';

const shortUrl = 'https://go.example.com/launch';

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
  const png = qrPng(shortUrl, { size, margin });
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
      expect(read(qrPng(address, { size: 200, margin: 4 }))).toBe(address);
    }),
    { numRuns: 15 },
  );
});

test('the margin has at least the requested number of light modules on each side', () => {
  const { data, width } = PNG.sync.read(qrPng(shortUrl, { size: 512, margin: 16 }));
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

test('an SVG draws the modules of the PNG', () => {
  const margin = 4;
  const svg = qrSvg(shortUrl, { size: 512, margin });
  const edge = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  expect(svg).toContain('width="512" height="512"');
  const png = PNG.sync.read(qrPng(shortUrl, { size: edge, margin }));
  const drawn = new Set([...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  for (let i = 0; i < edge * edge; i += 1) {
    const at = `${i % edge},${Math.floor(i / edge)}`;
    expect([at, png.data[4 * i] === 0]).toEqual([at, drawn.has(at)]);
  }
});

test('a size below a pixel per module is refused with the smallest possible size', () => {
  const long = `https://go.example.com/${'a'.repeat(32)}/${'b'.repeat(50)}`;
  expect(() => qrPng(long, { size: 64, margin: 16 })).toThrow(
    new QrOptionError('This code needs a size of 73 at least with a margin of 16.'),
  );
  expect(PNG.sync.read(qrPng(long, { size: 73, margin: 16 })).width).toBe(73);
});

describe('options', () => {
  test('have defaults', () => {
    expect(readQrOptions({})).toEqual({ size: 512, margin: 4 });
    expect(readQrOptions({ size: '64', margin: '0', other: 'x' })).toEqual({ size: 64, margin: 0 });
  });

  test.each([
    { size: '63' },
    { size: '2049' },
    { size: '' },
    { size: '100px' },
    { size: '1e3' },
    { size: '-512' },
    { size: '512,512' },
    { size: '99999999999999999999' },
  ])('%j is refused in plain words', (query) => {
    expect(() => readQrOptions(query)).toThrow(
      new QrOptionError('size must be a whole number from 64 to 2048.'),
    );
  });

  test.each([{ margin: '17' }, { margin: '-1' }, { margin: '4.5' }])('%j is refused, too', (query) => {
    expect(() => readQrOptions(query)).toThrow(
      new QrOptionError('margin must be a whole number from 0 to 16.'),
    );
  });
});
