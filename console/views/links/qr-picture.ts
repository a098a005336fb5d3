import decodeQR from 'qr/decode.js';
import { matrixOf, qrSvg } from '../../../core/pages/qr-svg.ts';
import { readQrOptions } from '../../../core/qr-styles/qr-options.ts';

/** A code to show and to save. */
export interface QrPicture {
  readonly canvas: HTMLCanvasElement;
  readonly svg: string;
  /** Whether a reader decodes the picture correctly. */
  readonly isReadable: boolean;
}

/** Pixels per module in a reader's camera, from far to near. */
const distances = [3, 4, 6];
/** Light modules around the code, as on paper. */
const quiet = 4;

/** Draws a code with a logo in its middle, with the options of public addresses. Throws QrOptionError. */
export const qrPicture = (
  text: string,
  asked: Readonly<Record<string, string>>,
  logo?: HTMLImageElement,
): QrPicture => {
  const options = readQrOptions(asked);
  const { size, background, color, level } = options;
  const { modules, isDark, logo: place } = matrixOf(text, level, logo !== undefined);
  const svg = qrSvg(text, options, logo?.src);
  const edge = modules + 2 * options.margin;
  const canvas = canvasOf(size);
  const brush = brushOf(canvas);
  // Modules of whole pixels, unless the picture has less than one pixel for each.
  const module = Math.floor(size / edge) || size / edge;
  const start = (size - modules * module) / 2;
  if (background !== 'transparent') {
    brush.fillStyle = `#${background}`;
    brush.fillRect(0, 0, size, size);
  }
  brush.fillStyle = `#${color}`;
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) {
      if (isDark(row, column)) brush.fillRect(start + column * module, start + row * module, module, module);
    }
  }
  if (!logo) return { canvas, svg, isReadable: true };
  drawInside(brush, logo, { from: start + place.from * module, width: place.width * module });
  return { canvas, svg, isReadable: isReadable(canvas, edge, text) };
};

/** A square; `from` is both its left and its top. */
interface Place {
  readonly from: number;
  readonly width: number;
}

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
