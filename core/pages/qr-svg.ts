import { create } from 'qrcode';
import type { QrOptions } from '../qr-styles/qr-options.ts';

/** The part of a code's edge that a logo covers: a sixteenth of the area, while level H tolerates 30 %. */
const covered = 1 / 4;
/** The margin around the logo, in modules. */
const gap = 0.5;

/** A code's modules. A logo has a place in the middle, where no module is dark. */
export const matrixOf = (text: string, level: QrOptions['level'], hasLogo = false) => {
  const { modules } = create(text, { errorCorrectionLevel: level });
  const { size } = modules;
  // Odd, like the code's width, so that it is exactly centred.
  const width = 2 * Math.floor((size * covered - 1) / 2) + 1;
  const from = (size - width) / 2;
  const isIn = (at: number) => hasLogo && at >= from && at < from + width;
  return {
    modules: size,
    isDark: (row: number, column: number) => modules.get(row, column) === 1 && !(isIn(row) && isIn(column)),
    /** The logo's square: `from` is both its left and its top, in modules of the code. */
    logo: { from: from + gap, width: width - 2 * gap },
  };
};

/** A QR code as SVG, with the data URL of a logo. Modules need no whole number of pixels, because an SVG scales. */
export const qrSvg = (text: string, options: QrOptions, logo?: string): string => {
  const { size, margin, color, background, level } = options;
  const { modules, isDark, logo: place } = matrixOf(text, level, logo !== undefined);
  const edge = modules + 2 * margin;
  let path = '';
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) {
      if (isDark(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`;
    }
  }
  const behind =
    background === 'transparent' ? '' : `<path fill="#${background}" d="M0 0h${edge}v${edge}H0z"/>`;
  const [at, width] = [place.from + margin, place.width];
  const image = logo ? `<image href="${logo}" x="${at}" y="${at}" width="${width}" height="${width}"/>` : '';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${edge} ${edge}" ` +
    `shape-rendering="crispEdges">${behind}<path fill="#${color}" d="${path}"/>${image}</svg>\n`
  );
};
