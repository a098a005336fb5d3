import { checkLink } from '../../../core/links/link-draft.ts';

const link = 'https://example.com/';
const now = new Date('2026-03-01T00:00:00.000Z');
const call = { caller: { project: 'acme' }, now, shortHosts: [] };
const known = {
  destinations: { hosts: async () => ({ isOwn: () => false, isBlocked: () => false }) },
  apps: {
    existing: async () =>
      new Map([
        ['apple', 'IOS'],
        ['robot', 'ANDROID'],
      ] as const),
  },
};
const fail = () => Promise.reject(new Error('Something was read'));
const unread = { destinations: { hosts: fail }, apps: { existing: fail } };
const saving = { saveApp: true, appName: 'App' };

test.each([
  ['iosAppId', 'ios', { iosAppId: 'apple', ios: { bundleId: 'com.example', ...saving } }],
  ['androidAppId', 'android', { androidAppId: 'robot', android: { package: 'com.example', ...saving } }],
])('a draft with both %s and saveApp in %s is refused', async (field, section, settings) => {
  await expect(checkLink({ payload: { link, ...settings } }, call, unread)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `payload.${field}: can't be given together with payload.${section}.saveApp`,
  });
});

test.each([
  ['2026-03-01T00:00:00.000Z', true],
  ['2026-03-01T00:00:00.001Z', false],
])('an expiry of %s is refused: %s', async (expiresAt, refused) => {
  const checked = checkLink({ payload: { link }, expiresAt }, call, known).then(() => 'accepted');
  if (refused) await expect(checked).rejects.toMatchObject({ message: 'expiresAt: must be in the future' });
  else expect(await checked).toBe('accepted');
});

test.each([
  [{ iosAppId: 'apple', androidAppId: 'robot' }, undefined],
  [{ iosAppId: 'robot' }, 'payload.iosAppId: no saved iOS app has this id; GET /1.0/mobile-apps lists them'],
  [
    { androidAppId: 'x' },
    'payload.androidAppId: no saved Android app has this id; GET /1.0/mobile-apps lists them',
  ],
])('the apps of %j', async (named, message) => {
  const checked = checkLink({ payload: { link, ...named } }, call, known).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(await checked).toBe(message);
});
