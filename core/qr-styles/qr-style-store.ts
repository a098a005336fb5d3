import { contentOf } from '../table/content.ts';
import { qrStyleKey } from '../table/qr-style-keys.ts';
import type { Items } from '../table/table.ts';
import type { QrStyle } from './qr-style.ts';

const unset: QrStyle = { color: null, background: null, level: null, logo: null };

export const qrStyleStore = (table: Items) => ({
  async get(project: string): Promise<QrStyle> {
    const item = await table.get(qrStyleKey(project));
    return item ? contentOf<QrStyle>(item) : unset;
  },

  put: (project: string, style: QrStyle): Promise<void> =>
    table.put({ Item: { ...qrStyleKey(project), ...style } }),
});
