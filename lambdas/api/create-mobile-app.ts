import { randomUUID } from 'node:crypto';
import { createMobileApp } from '../../core/api/mobile-apps.ts';
import { getQrStyle, updateQrStyle } from '../../core/api/qr-styles.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { addressesOfApp, newMobileApp } from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/base/failure.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { qrStyleStore } from '../../core/qr-styles/qr-style-store.ts';
import { endpointOf, serveMethods } from '../frame/serve.ts';

const createApp = endpointOf(
  createMobileApp,
  { apps: appStore, destinations: destinationStore },
  async ({ body, caller, now, shortHosts, idempotency }, { apps, destinations }) => {
    const made = await idempotency.once(async (record) => {
      refuseFaults(await destinations.faults(addressesOfApp(body), shortHosts));
      const app = newMobileApp(randomUUID(), body, now);
      const { id, createdAt } = app;
      await apps.create(caller.project, app, record);
      return { id, createdAt };
    });
    return newMobileApp(made.id ?? '', body, new Date(made.createdAt ?? now));
  },
);

const stores = { qrStyles: qrStyleStore };
const getStyle = endpointOf(getQrStyle, stores, ({ caller }, { qrStyles }) => qrStyles.get(caller.project));
const updateStyle = endpointOf(updateQrStyle, stores, async ({ caller, body }, { qrStyles }) => {
  await qrStyles.put(caller.project, body);
  return body;
});

export const handler = serveMethods({ POST: createApp, GET: getStyle, PUT: updateStyle });
