import { qrStyleKey } from '../table/qr-style-keys.ts';
import type { Items } from '../table/table.ts';
import type { QrStyle } from './qr-style.ts';
import { styleOf } from './stored-style.ts';

export const qrStyleStore = (table: Items) => ({
  get: async (project: string): Promise<QrStyle> => styleOf(await table.get(qrStyleKey(project))),

  put: (project: string, style: QrStyle): Promise<void> =>
    table.put({ Item: { ...qrStyleKey(project), ...style } }),
});
