import { crc32, deflateSync } from 'node:zlib';
import { QrOptionError, type QrOptions, qrDefaults } from '../qr-styles/qr-options.ts';
import { drawLogo, type Pixels } from './qr-logo.ts';
import { matrixOf } from './qr-svg.ts';

/**
 * A QR code as PNG, with a logo. All modules have the same whole number of pixels; the rest goes to the margin. Throws
 * QrOptionError if modules would be smaller than a pixel.
 */
export const qrPng = (text: string, options: QrOptions, logo?: Pixels): Buffer => {
  const { size, margin, level } = options;
  const { modules, isDark, logo: place } = matrixOf(text, level, logo !== undefined);
  const edge = modules + 2 * margin;
  const scale = Math.floor(size / edge);
  if (scale < 1)
    throw new QrOptionError(`This code needs a size of ${edge} at least with a margin of ${margin}.`);
  const start = Math.floor((size - modules * scale) / 2);
  const light = Buffer.concat([Buffer.of(0), Buffer.alloc(Math.ceil(size / 8), 0xff)]);
  const rows = Array<Buffer>(start).fill(light);
  for (let row = 0; row < modules; row += 1) {
    const line = Buffer.from(light);
    for (let x = 0; x < modules * scale; x += 1) {
      if (isDark(row, Math.floor(x / scale))) darken(line, start + x);
    }
    rows.push(...Array<Buffer>(scale).fill(line));
  }
  rows.push(...Array<Buffer>(size - rows.length).fill(light));
  if (!logo) return png(options, Buffer.concat(rows));
  const colored = inFullColor(rows, options);
  const from = Math.round(start + place.from * scale);
  drawLogo(colored, logo, { from, width: Math.round(place.width * scale) });
  return png(options, Buffer.concat(colored), true);
};

/** The same lines with red, green, blue and opacity of each pixel. */
const inFullColor = (rows: readonly Buffer[], { size, color, background }: QrOptions): Buffer[] => {
  const dark = Buffer.from(`${color}ff`, 'hex');
  const light = Buffer.from(background === 'transparent' ? 'ffffff00' : `${background}ff`, 'hex');
  const done = new Map<Buffer, Buffer>();
  return rows.map((row) => {
    const known = done.get(row);
    if (known) return Buffer.from(known);
    const line = Buffer.alloc(1 + 4 * size, light);
    line[0] = 0;
    for (let x = 0; x < size; x += 1) {
      const isLight = row.readUInt8(1 + (x >> 3)) & (0x80 >> (x & 7));
      (isLight ? light : dark).copy(line, 1 + 4 * x);
    }
    done.set(row, line);
    return Buffer.from(line);
  });
};

/** Darkens a pixel. A line's first byte is its filter; pixels follow, from the highest bit. */
const darken = (line: Buffer, x: number): void => {
  const at = 1 + (x >> 3);
  line.writeUInt8(line.readUInt8(at) & ~(0x80 >> (x & 7)), at);
};

/** A square PNG with one bit per pixel, or with 32. */
const png = ({ size, color, background }: QrOptions, lines: Buffer, isFullColor = false): Buffer => {
  const isPlain = isFullColor || (color === qrDefaults.color && background === qrDefaults.background);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Depth, one bit with greyscale (0) or palette (3), or eight of each colour with opacity (6), and the default methods.
  header.set(isFullColor ? [8, 6] : [1, isPlain ? 0 : 3], 8);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(isPlain ? [] : palette(color, background)),
    chunk('IDAT', deflateSync(lines, isFullColor ? { level: 1 } : {})),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The colours of bits 0 and 1, with their opacity. */
const palette = (color: string, background: string): Buffer[] => {
  const isClear = background === 'transparent';
  const colors = Buffer.from(color + (isClear ? 'ffffff' : background), 'hex');
  return [chunk('PLTE', colors), ...(isClear ? [chunk('tRNS', Buffer.of(255, 0))] : [])];
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
