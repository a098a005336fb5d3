import { qrParameter } from '../../../core/hosts/short-address.ts';
import { optionsOf } from '../../../core/qr-styles/qr-options.ts';
import type { OnProgress } from '../../calls/change-each.ts';
import { callService } from '../../calls/port.ts';
import { imageOf } from './logo.ts';
import { qrPicture } from './qr-picture.ts';
import { type ZipEntry, zipOf } from './zip.ts';

/** A zip file of links' QR codes in the project's style, each as PNG and SVG. */
export const qrZip = async (project: string, codes: readonly string[], onProgress: OnProgress) => {
  const [{ shortBase }, style] = await Promise.all([
    callService('routing', { project }),
    callService('qrStyle', { project }),
  ]);
  const logo = style.logo === null ? undefined : await imageOf(style.logo);
  const entries: ZipEntry[] = [];
  for (const code of codes) {
    onProgress({ done: entries.length / 2, of: codes.length });
    const text = `${shortBase}/${code}?${qrParameter}`;
    const { canvas, svg } = qrPicture(text, optionsOf({ ...style }), logo);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    if (!png) throw new Error('This browser can’t draw');
    entries.push([`${code}.png`, new Uint8Array(await png.arrayBuffer())]);
    entries.push([`${code}.svg`, new TextEncoder().encode(svg)]);
  }
  return zipOf(entries);
};
