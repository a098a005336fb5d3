import { updateMobileApp } from '../../core/api/mobile-apps.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { addressesOfApp, changeFaults } from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/base/failure.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  updateMobileApp,
  { apps: appStore, destinations: destinationStore },
  async ({ params, body, caller, now, shortHosts }, { apps, destinations }) => {
    const [{ platform }, faults] = await Promise.all([
      apps.get(caller.project, params.id),
      destinations.faults(addressesOfApp(body), shortHosts),
    ]);
    refuseFaults([...changeFaults(platform, body), ...faults]);
    return apps.update(caller.project, params.id, { change: body, now });
  },
);
