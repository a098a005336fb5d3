import { create } from 'qrcode';
import type { QrOptions } from './qr-options.ts';

export const matrixOf = (text: string, level: QrOptions['level']) => {
  const { modules } = create(text, { errorCorrectionLevel: level });
  return { modules: modules.size, isDark: (row: number, column: number) => modules.get(row, column) === 1 };
};

/** A QR code as SVG. Modules need no whole number of pixels, because an SVG scales. */
export const qrSvg = (text: string, { size, margin, color, background, level }: QrOptions): string => {
  const { modules, isDark } = matrixOf(text, level);
  const edge = modules + 2 * margin;
  let path = '';
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) {
      if (isDark(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`;
    }
  }
  const behind =
    background === 'transparent' ? '' : `<path fill="#${background}" d="M0 0h${edge}v${edge}H0z"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${edge} ${edge}" ` +
    `shape-rendering="crispEdges">${behind}<path fill="#${color}" d="${path}"/></svg>\n`
  );
};
