import * as z from 'zod';
import { mobileAppChange, mobileAppDraft, mobileAppResult } from '../apps/mobile-app-schema.ts';
import { mobileAppNotFound } from '../base/messages.ts';
import { endpoint } from './endpoint.ts';
import { answeredAt, exampleApp, exampleSettings } from './examples.ts';

const shared = { tag: 'Mobile apps', timestamp: 'always', plain: ['MOBILE_APP_NOT_FOUND'] } as const;

const exampleId = { id: exampleApp.id };

const oneApp = {
  ...shared,
  path: '/mobile-apps/{id}',
  params: z.object({ id: z.guid() }),
  unmatched: mobileAppNotFound,
  failures: { MOBILE_APP_NOT_FOUND: 'No mobile app with this id in the project.' },
} as const;

export const createMobileApp = endpoint({
  ...shared,
  method: 'POST',
  path: '/mobile-apps',
  summary: 'Create mobile app',
  body: mobileAppDraft,
  status: 201,
  result: mobileAppResult,
  location: 'id',
  scope: 'apps:write',
  idempotent: 'one',
  uses: ['apps.create', 'destinations.faults'],
  example: {
    body: { platform: 'IOS', name: exampleApp.name, ...exampleSettings },
    data: exampleApp,
  },
});

export const listMobileApps = endpoint({
  ...shared,
  method: 'GET',
  path: '/mobile-apps',
  summary: 'List mobile apps',
  result: z.object({ apps: z.array(mobileAppResult), total: z.number().int() }),
  scope: 'apps:read',
  uses: ['apps.list'],
  example: { data: { apps: [exampleApp], total: 1 } },
});

export const getMobileApp = endpoint({
  ...oneApp,
  method: 'GET',
  summary: 'Get mobile app',
  result: mobileAppResult,
  scope: 'apps:read',
  uses: ['apps.get'],
  example: { params: exampleId, data: exampleApp },
});

export const updateMobileApp = endpoint({
  ...oneApp,
  method: 'PUT',
  summary: 'Update mobile app',
  body: mobileAppChange,
  result: mobileAppResult,
  scope: 'apps:write',
  uses: ['apps.get', 'apps.update', 'destinations.faults'],
  example: {
    params: exampleId,
    body: { iosMinVersion: '16.0' },
    data: { ...exampleApp, iosMinVersion: '16.0', updatedAt: answeredAt },
  },
});

export const deleteMobileApp = endpoint({
  ...oneApp,
  method: 'DELETE',
  summary: 'Delete mobile app',
  result: z.object({ message: z.string() }),
  scope: 'apps:write',
  uses: ['apps.delete'],
  example: { params: exampleId, data: { message: 'The mobile app was deleted' } },
});
