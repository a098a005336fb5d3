import { checkDraft } from '../../../core/links/link-draft.ts';

const link = 'https://example.com/';
const checks = {
  now: new Date('2026-03-01T00:00:00.000Z'),
  addressFaults: async () => [],
  findApp: async (id: string) => ({ id, platform: id === 'apple' ? 'IOS' : 'ANDROID' }) as never,
};
const saving = { saveApp: true, appName: 'App' };

test.each([
  ['iosAppId', 'ios', { iosAppId: 'apple', ios: { bundleId: 'com.example', ...saving } }],
  ['androidAppId', 'android', { androidAppId: 'robot', android: { package: 'com.example', ...saving } }],
])('a draft with both %s and saveApp in %s is refused', async (field, section, settings) => {
  await expect(checkDraft({ payload: { link, ...settings } }, checks)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `payload.${field}: can't be given together with payload.${section}.saveApp`,
  });
});

test.each([
  ['2026-03-01T00:00:00.000Z', true],
  ['2026-03-01T00:00:00.001Z', false],
])('an expiry of %s is refused: %s', async (expiresAt, refused) => {
  const checked = checkDraft({ payload: { link }, expiresAt }, checks).then(() => 'accepted');
  if (refused) await expect(checked).rejects.toMatchObject({ message: 'expiresAt: must be in the future' });
  else expect(await checked).toBe('accepted');
});
