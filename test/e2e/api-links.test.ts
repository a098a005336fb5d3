import { randomUUID } from 'node:crypto';
import { limits } from '../../core/base/limits.ts';
import {
  androidApp,
  anId,
  aTime,
  coded,
  fullPayload,
  newApp,
  newLink,
  newProject,
  payload,
} from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const expiresAt = '2099-01-01T00:00:00.000Z';
const shown = async (code: string) => (await project.call('GET', `/links/${code}`)).body.data;
const update = (code: string, body: object) => project.call('PUT', `/links/${code}`, body);

describe('an update', () => {
  test('keeps omitted fields, replaces whole sections, and clears with null', async () => {
    const { code } = await newLink(project, { name: 'N', payload: fullPayload, expiresAt });
    await update(code, { payload: { link: 'https://example.org/new' } });
    const moved = { ...fullPayload, link: 'https://example.org/new' };
    expect(await shown(code)).toMatchObject({ name: 'N', expiresAt, payload: moved });
    await update(code, { payload: { ...payload, social: { title: 'New' }, campaign: null } });
    const { campaign, ...rest } = fullPayload;
    expect((await shown(code)).payload).toEqual({ ...rest, ...payload, social: { title: 'New' } });
    await update(code, { name: null, payload, expiresAt: null });
    const cleared = await shown(code);
    expect(cleared).not.toHaveProperty('name');
    expect(cleared).not.toHaveProperty('expiresAt');
  });

  test('with the response of a GET changes nothing', async () => {
    const { code } = await newLink(project, { name: 'N', payload: fullPayload, expiresAt });
    const before = await shown(code);
    expect((await update(code, before)).status).toBe(200);
    expect(await shown(code)).toEqual({ ...before, updatedAt: aTime });
  });

  test('counts the hosts of rules that stay against the destination that moves', async () => {
    const { hosts } = limits.rules;
    const rules = Array.from({ length: hosts + 1 }, (_, i) => ({
      name: `r${i}`,
      platforms: ['web'],
      link: `https://h${i}.example.com/`,
    }));
    const { code } = await newLink(project, { payload: { link: 'https://h0.example.com/', rules } });
    const moved = await update(code, { payload: { link: 'https://moved.example.com/' } });
    expect(moved.body.error.message).toBe(
      `payload.rules: must lead to at most ${hosts} hosts other than the destination's`,
    );
    expect((await shown(code)).originalUrl).toBe('https://h0.example.com/');
    const among = { link: `https://h${hosts}.example.com/` };
    expect((await update(code, { payload: among })).status).toBe(200);
    expect((await update(code, { payload: { ...payload, rules } })).status).toBe(400);
    expect((await update(code, { payload: { ...payload, rules: rules.slice(1) } })).status).toBe(200);
  });

  test('ignores read-only fields', async () => {
    const { code } = await newLink(project);
    const before = await shown(code);
    const readOnly = {
      code: 'other',
      status: 'PAUSED',
      clickCount: 9,
      projectId: 'x',
      createdBy: 'x',
      id: 'x',
      createdAt: expiresAt,
    };
    await update(code, { ...readOnly, payload, unknown: 1 });
    expect(await shown(code)).toEqual({ ...before, updatedAt: aTime });
    expect((await project.call('GET', '/links/other')).status).toBe(404);
  });
});

describe('saved apps', () => {
  const android = {
    package: 'com.example',
    store_fallback: 'https://play.google.com/x',
    min_version: '3',
    saveApp: true,
    appName: 'Droid',
  };
  const ios = {
    bundleId: 'com.example',
    app_store_fallback: 'https://apps.apple.com/x',
    app_store_id: '1',
    min_version: '2',
    saveApp: true,
    appName: 'Phone',
  };

  test.each(['POST', 'PUT'])('are created from the settings of both platforms by a %s', async (method) => {
    const code = method === 'PUT' ? (await newLink(project)).code : `saving-${method}`;
    const path = method === 'PUT' ? `/links/${code}` : '/links';
    const { status } = await project.call(method, path, { code, payload: { ...payload, android, ios } });
    expect(status).toBe(method === 'POST' ? 201 : 200);
    const { payload: kept } = await shown(code);
    const { saveApp, appName, ...droid } = android;
    const { saveApp: _, appName: __, ...phone } = ios;
    expect(kept).toEqual({ ...payload, android: droid, ios: phone, androidAppId: anId, iosAppId: anId });
    const app = async (id: string) => (await project.call('GET', `/mobile-apps/${id}`)).body.data;
    expect(await app(kept.androidAppId)).toMatchObject({
      name: 'Droid',
      platform: 'ANDROID',
      packageName: 'com.example',
      playStoreFallback: 'https://play.google.com/x',
      androidMinVersion: '3',
      bundleId: null,
    });
    expect(await app(kept.iosAppId)).toMatchObject({
      name: 'Phone',
      platform: 'IOS',
      bundleId: 'com.example',
      appStoreFallback: 'https://apps.apple.com/x',
      appStoreId: '1',
      iosMinVersion: '2',
      packageName: null,
    });
  });

  test('are not saved if the link is refused', async () => {
    const shop = await newProject(stack);
    const { code } = await newLink(shop);
    const { status } = await shop.call('POST', '/links', { code, payload: { ...payload, android } });
    expect(status).toBe(409);
    expect((await shop.call('GET', '/mobile-apps')).body.data.total).toBe(0);
  });

  test('must exist and fit the platform if a link names them', async () => {
    const [iosId, androidId] = [(await newApp(project)).id, (await newApp(project, androidApp)).id];
    const refusals: [object, string][] = [
      [{ iosAppId: randomUUID() }, 'payload.iosAppId'],
      [{ iosAppId: androidId }, 'payload.iosAppId'],
      [{ androidAppId: iosId }, 'payload.androidAppId'],
      [{ androidAppId: '' }, 'payload.androidAppId'],
      [{ androidAppId: androidId, android }, 'payload.androidAppId'],
      [{ android: { saveApp: true } }, 'payload.android.appName'],
      [{ ios: { saveApp: true, appName: 'x' } }, 'payload.ios.bundleId'],
    ];
    const { code } = await newLink(project);
    for (const [fields, path] of refusals) {
      for (const [method, where] of [
        ['POST', '/links'],
        ['PUT', `/links/${code}`],
      ] as const) {
        const { status, body } = await project.call(method, where, { payload: { ...payload, ...fields } });
        expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
        expect(body.error.message).toContain(`${path}: `);
      }
    }
    const named = await newLink(project, {
      payload: { ...payload, iosAppId: iosId, androidAppId: androidId },
    });
    expect((await shown(named.code)).payload).toEqual({
      ...payload,
      iosAppId: iosId,
      androidAppId: androidId,
    });
  });
});
