import { logoFile } from '../base/logo.ts';
import type { Item } from '../table/table.ts';
import type { QrStyle } from './qr-style.ts';

export const defaultStyle: QrStyle = { color: null, background: null, level: null, logo: null };

/** A stored style. Versions before 1.4.0 accepted logos that may take a browser minutes to draw: it has none then. */
export const styleOf = (item: Item | undefined): QrStyle => {
  if (!item) return defaultStyle;
  const { color, background, level, logo } = item as unknown as QrStyle;
  return { color, background, level, logo: logo !== null && logoFile(logo) ? logo : null };
};
