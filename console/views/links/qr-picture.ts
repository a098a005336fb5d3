import decodeQR from 'qr/decode.js';
import { qrDefaults, readQrOptions } from '../../../core/pages/qr-options.ts';
import { qrSvg } from '../../../core/pages/qr-svg.ts';

/** What a logo covers has to be made up for. */
export const logoLevel = 'H';

export type QrOptions = Readonly<Record<string, string>>;

/** What is drawn of a project's style, and of what is chosen beside it. */
export const optionsOf = ({
  logo = null,
  ...given
}: Readonly<Partial<Record<string, string | null>>>): QrOptions => ({
  ...qrDefaults,
  ...Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  ...(logo !== null && { level: logoLevel }),
});

type Drawn = ReturnType<typeof drawnQr>;

/** Options are those of the public addresses. Throws QrOptionError. */
export const drawnQr = (text: string, asked: Readonly<Record<string, string>>) => {
  const options = readQrOptions(asked);
  return { ...options, svg: qrSvg(text, options) };
};

/** A code as files, and to look at. */
export interface QrPicture {
  readonly canvas: HTMLCanvasElement;
  readonly svg: string;
  /** Whether a reader finds the code's text in the picture. */
  readonly isReadable: boolean;
}

/** Part of a code's edge that a logo covers: about a sixteenth of its area, where level H can lose three tenths. */
const covered = 1 / 4;
/** Around the logo, in modules. */
const gap = 0.5;
/** Pixels of a module as readers see codes: from afar, nearer, and near. */
const distances = [3, 4, 6];
/** Light modules around it, as on paper. */
const quiet = 4;
const logoPixels = 512;

/** Draws a code with a logo in its middle. */
export const qrPicture = (drawn: Drawn, logo: HTMLImageElement | undefined, text: string): QrPicture => {
  const edge = Number(/viewBox="0 0 (\d+)/.exec(drawn.svg)?.[1]);
  const place = logo && middleOf(edge, drawn.margin);
  const svg = place ? withoutSquares(drawn.svg, place) : drawn.svg;
  const canvas = canvasOf(drawn.size);
  const brush = brushOf(canvas);
  // Squares of whole pixels, unless the picture is too small for one each.
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

/** As `qrSvg` writes each dark module. */
const square = /M(\d+) (\d+)h1v1h-1z/g;

/** A square, whose left is as far from the edge as its top. */
interface Place {
  readonly from: number;
  readonly width: number;
}

/** An odd number of modules, as codes have, so that they are in the middle. */
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

/** As large as it fits, without changing its shape. */
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

/** Whether a reader finds the text in the file itself and from each distance. What a logo looks like decides it, too. */
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
