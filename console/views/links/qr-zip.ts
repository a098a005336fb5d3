import { downloadZip } from 'client-zip';
import { qrParameter } from '../../../core/hosts/short-address.ts';
import { optionsOf } from '../../../core/qr-styles/qr-options.ts';
import type { OnProgress } from '../../calls/change-each.ts';
import { callService } from '../../calls/client.ts';
import { imageOf } from './logo.ts';
import { namesApart } from './names-apart.ts';
import { qrPicture } from './qr-picture.ts';

/** A zip file of links' QR codes in the project's style, each as PNG and SVG. */
export const qrZip = async (project: string, codes: readonly string[], onProgress: OnProgress) => {
  const [{ shortBase }, style] = await Promise.all([
    callService('routing', { project }),
    callService('qrStyle', { project }),
  ]);
  const logo = style.logo === null ? undefined : await imageOf(style.logo);
  const pictures: { readonly name: string; readonly input: Blob | string }[] = [];
  for (const code of codes) {
    onProgress({ done: pictures.length / 2, of: codes.length });
    const text = `${shortBase}/${code}?${qrParameter}`;
    const { canvas, svg } = qrPicture(text, optionsOf({ ...style }), logo);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    if (!png) throw new Error('This browser can’t draw');
    pictures.push({ name: `${code}.png`, input: png }, { name: `${code}.svg`, input: svg });
  }
  const names = namesApart(pictures.map(({ name }) => name));
  return downloadZip(pictures.map(({ input }, i) => ({ name: names[i], input }))).blob();
};
