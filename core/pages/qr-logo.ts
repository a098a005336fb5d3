import { PNG } from 'pngjs';
import { Bounded } from '../base/bounded.ts';
import { logoFile } from '../base/logo.ts';

/** A decoded picture, with red, green, blue and opacity of each pixel. */
export type Pixels = Pick<PNG, 'width' | 'height' | 'data'>;

/** A container's decoded logos, because decoding one of 4 million pixels takes a second. */
const decoded = new Bounded<Pixels | undefined>(4);

/** A logo's pixels; undefined for a JPEG picture or a damaged one. */
export const logoPixels = (url: string): Pixels | undefined => {
  if (!decoded.has(url)) decoded.set(url, decode(url));
  return decoded.get(url);
};

const decode = (url: string): Pixels | undefined => {
  const file = logoFile(url);
  try {
    return file?.type === 'image/png' ? PNG.sync.read(file.bytes) : undefined;
  } catch {
    return undefined;
  }
};

/** Draws a logo onto a PNG's lines, as large as fits into a square without distortion. */
export const drawLogo = (
  lines: readonly Buffer[],
  logo: Pixels,
  square: { readonly from: number; readonly width: number },
): void => {
  const scale = Math.max(logo.width, logo.height) / square.width;
  const edgeOf = (edge: number) => Math.max(1, Math.round(edge / scale));
  const [across, down] = [edgeOf(logo.width), edgeOf(logo.height)];
  const left = square.from + Math.floor((square.width - across) / 2);
  const top = square.from + Math.floor((square.width - down) / 2);
  for (let y = 0; y < down; y += 1) {
    const line = lines[top + y]?.subarray(1);
    for (let x = 0; line && x < across; x += 1) blend(line, 4 * (left + x), averageOf(logo, { x, y, scale }));
  }
};

/** The average of a logo's pixels behind a pixel of the code. Colours count by their opacity. */
const averageOf = (
  { width, height, data }: Pixels,
  { x, y, scale }: { x: number; y: number; scale: number },
) => {
  const rangeOf = (at: number, edge: number) => {
    const first = Math.min(Math.floor(at * scale), edge - 1);
    return { first, end: Math.max(first + 1, Math.min(Math.floor((at + 1) * scale), edge)) };
  };
  const [columns, rows] = [rangeOf(x, width), rangeOf(y, height)];
  const color: [number, number, number] = [0, 0, 0];
  let opacity = 0;
  for (let row = rows.first; row < rows.end; row += 1) {
    for (let column = columns.first; column < columns.end; column += 1) {
      const at = 4 * (row * width + column);
      const weight = data.readUInt8(at + 3);
      for (const i of channels) color[i] += data.readUInt8(at + i) * weight;
      opacity += weight;
    }
  }
  const count = (columns.end - columns.first) * (rows.end - rows.first);
  for (const i of channels) color[i] /= opacity || 1;
  return { color, opacity: opacity / count / 255 };
};

/** Red, green and blue. */
const channels = [0, 1, 2] as const;

/** Lays a colour over a pixel. */
const blend = (line: Buffer, at: number, { color, opacity }: ReturnType<typeof averageOf>): void => {
  const behind = (line.readUInt8(at + 3) / 255) * (1 - opacity);
  const sum = opacity + behind;
  for (const i of channels)
    line[at + i] = Math.round((color[i] * opacity + line.readUInt8(at + i) * behind) / (sum || 1));
  line[at + 3] = Math.round(sum * 255);
};
