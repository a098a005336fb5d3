import decodeQR from 'qr/decode.js';
import { qrDefaults, readQrOptions } from '../../../core/pages/qr-options.ts';
import { qrSvg } from '../../../core/pages/qr-svg.ts';

/** The error correction level with a logo, because the logo hides modules. */
export const logoLevel = 'H';

export type QrOptions = Readonly<Record<string, string>>;

/** The drawing options for a style: defaults for unset values, and `logoLevel` with a logo. */
export const optionsOf = ({
  logo = null,
  ...given
}: Readonly<Partial<Record<string, string | null>>>): QrOptions => ({
  ...qrDefaults,
  ...Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  ...(logo !== null && { level: logoLevel }),
});

type Drawn = ReturnType<typeof drawnQr>;

/** Draws a code, with the options of public addresses. Throws QrOptionError. */
export const drawnQr = (text: string, asked: Readonly<Record<string, string>>) => {
  const options = readQrOptions(asked);
  return { ...options, svg: qrSvg(text, options) };
};

/** A code to show and to save. */
export interface QrPicture {
  readonly canvas: HTMLCanvasElement;
  readonly svg: string;
  /** Whether a reader decodes the picture correctly. */
  readonly isReadable: boolean;
}

/** The part of a code's edge that a logo covers: a sixteenth of the area, while level H tolerates 30 %. */
const covered = 1 / 4;
/** The margin around the logo, in modules. */
const gap = 0.5;
/** Pixels per module in a reader's camera, from far to near. */
const distances = [3, 4, 6];
/** Light modules around the code, as on paper. */
const quiet = 4;
const logoPixels = 512;

/** Draws a code with a logo in its middle. */
export const qrPicture = (drawn: Drawn, logo: HTMLImageElement | undefined, text: string): QrPicture => {
  const edge = Number(/viewBox="0 0 (\d+)/.exec(drawn.svg)?.[1]);
  const place = logo && middleOf(edge, drawn.margin);
  const svg = place ? withoutSquares(drawn.svg, place) : drawn.svg;
  const canvas = canvasOf(drawn.size);
  const brush = brushOf(canvas);
  // Modules of whole pixels, unless the picture has less than one pixel for each.
  const module = Math.floor(drawn.size / edge) || drawn.size / edge;
  const margin = (drawn.size - module * edge) / 2;
  if (drawn.background !== 'transparent') {
    brush.fillStyle = `#${drawn.background}`;
    brush.fillRect(0, 0, drawn.size, drawn.size);
  }
  brush.fillStyle = `#${drawn.color}`;
  for (const [, x, y] of svg.matchAll(square))
    brush.fillRect(margin + Number(x) * module, margin + Number(y) * module, module, module);
  if (logo && place) {
    const [from, width] = [place.from + gap, place.width - 2 * gap];
    drawInside(brush, logo, { from: margin + from * module, width: width * module });
    return { canvas, svg: withImage(svg, logo, { from, width }), isReadable: isReadable(canvas, edge, text) };
  }
  return { canvas, svg, isReadable: true };
};

/** A dark module in the output of `qrSvg`. */
const square = /M(\d+) (\d+)h1v1h-1z/g;

/** A square; `from` is both its left and its top. */
interface Place {
  readonly from: number;
  readonly width: number;
}

/** The logo's place. Its width is odd, as the code's, to be exactly centred. */
const middleOf = (edge: number, margin: number): Place => {
  const modules = edge - 2 * margin;
  const width = 2 * Math.floor((modules * covered - 1) / 2) + 1;
  return { from: margin + (modules - width) / 2, width };
};

const withoutSquares = (svg: string, { from, width }: Place): string => {
  const isIn = (at: string) => Number(at) >= from && Number(at) < from + width;
  return svg.replace(square, (one, x: string, y: string) => (isIn(x) && isIn(y) ? '' : one));
};

const withImage = (svg: string, logo: HTMLImageElement, { from, width }: Place): string => {
  const image = `<image href="${logoPng(logo, logoPixels)}" x="${from}" y="${from}" width="${width}" height="${width}"/>`;
  return svg.replace('</svg>', `${image}</svg>`);
};

/** A logo as a square PNG's data URL. */
export const logoPng = (logo: HTMLImageElement, width: number): string => {
  const canvas = canvasOf(width);
  drawInside(brushOf(canvas), logo, { from: 0, width });
  return canvas.toDataURL();
};

/** As large as fits, without distortion. */
const drawInside = (
  brush: CanvasRenderingContext2D,
  logo: HTMLImageElement,
  { from, width }: Place,
): void => {
  const scale = width / Math.max(logo.width, logo.height);
  const [across, down] = [logo.width * scale, logo.height * scale];
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(logo, from + (width - across) / 2, from + (width - down) / 2, across, down);
};

/** Whether a reader decodes the text from the file itself and from each distance, which also depends on the logo. */
const isReadable = (picture: HTMLCanvasElement, edge: number, text: string): boolean =>
  [
    { width: picture.width, margin: 0 },
    ...distances.map((at) => ({ width: edge * at, margin: quiet * at })),
  ].every(({ width, margin }) => {
    const whole = width + 2 * margin;
    const brush = brushOf(canvasOf(whole));
    brush.fillStyle = '#fff';
    brush.fillRect(0, 0, whole, whole);
    brush.drawImage(picture, margin, margin, width, width);
    try {
      return decodeQR(brush.getImageData(0, 0, whole, whole)) === text;
    } catch {
      return false;
    }
  });

const canvasOf = (width: number): HTMLCanvasElement =>
  Object.assign(document.createElement('canvas'), { width, height: width });

const brushOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
  const brush = canvas.getContext('2d');
  if (!brush) throw new Error('This browser can’t draw');
  return brush;
};
