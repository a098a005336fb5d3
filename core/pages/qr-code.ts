import { crc32, deflateSync } from 'node:zlib';
import { create } from 'qrcode';
import { QrOptionError, type QrOptions } from './qr-options.ts';

interface Matrix {
  readonly modules: number;
  readonly isDark: (row: number, column: number) => boolean;
}

/** Level M tolerates the loss of a seventh of the code. */
const matrixOf = (text: string): Matrix => {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  return { modules: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
};

/** An SVG scales, so its modules have no whole number of pixels to fill. */
export const qrSvg = (text: string, { size, margin }: QrOptions): string => {
  const { modules, isDark } = matrixOf(text);
  const edge = modules + 2 * margin;
  let path = '';
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) {
      if (isDark(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${edge} ${edge}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${edge}v${edge}H0z"/><path d="${path}"/></svg>\n`
  );
};

/**
 * Every module has the same whole number of pixels; the remainder goes to the margin. Throws QrOptionError if
 * a module would get no pixel.
 */
export const qrPng = (text: string, { size, margin }: QrOptions): Buffer => {
  const { modules, isDark } = matrixOf(text);
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
  return png(size, Buffer.concat(rows));
};

/** The first byte of a line names its filter; pixels follow from the highest bit on. */
const darken = (line: Buffer, x: number): void => {
  const at = 1 + (x >> 3);
  line.writeUInt8(line.readUInt8(at) & ~(0x80 >> (x & 7)), at);
};

/** A square image of one bit a pixel. */
const png = (size: number, lines: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit of grey; the method of compression, of filtering and of interlacing are the only ones there are.
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
