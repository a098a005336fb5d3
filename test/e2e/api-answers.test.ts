import {
  aMessage,
  anId,
  aTime,
  coded,
  fullPayload,
  iosApp,
  newLink,
  newProject,
  payload,
} from '../support/api.ts';
import { shownFields } from '../support/api-model-apps.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const expiresAt = '2099-01-01T00:00:00.000Z';
const shown = async (code: string) => (await project.call('GET', `/links/${code}`)).body.data;
const update = (code: string, body: object) => project.call('PUT', `/links/${code}`, body);

describe('the answers, field by field', () => {
  const link = (code: unknown, short: unknown) => ({
    id: anId,
    code,
    shortUrl: short,
    name: 'N',
    status: 'ACTIVE',
    qrCode: expect.stringMatching(/\/qr\.png$/),
    createdAt: aTime,
    expiresAt,
    clickCount: 0,
  });
  const full = (code: unknown, short: unknown) => ({
    ...link(code, short),
    payload: fullPayload,
    projectId: project.id,
    createdBy: 'ann',
    updatedAt: aTime,
  });
  const aliases = (short: unknown) => ({
    shortLink: short,
    originalUrl: fullPayload.link,
    previewLink: fullPayload.link,
  });

  test.each(['/1.0/links', '//1.0/links', '/dev/1.0/links', '//dev//1.0/links'])(
    'Location of a link created by %s leads to the link',
    async (where) => {
      const base = stack.facts.apiBaseUrl;
      const headers = { 'X-API-KEY': (await newProject(stack)).key, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ payload });
      const created = await fetch(base + where, { method: 'POST', headers, body });
      expect(created.status).toBe(201);
      const found = await fetch(new URL(created.headers.get('location') ?? '', base), { headers });
      expect(found.status).toBe(200);
      expect(found.url.startsWith(`${base}/`)).toBe(true);
    },
  );

  test('of a link through its life', async () => {
    const short = `${stack.facts.shortBaseUrl}/${project.id}/whole`;
    const created = await project.call('POST', '/links', {
      code: 'whole',
      name: 'N',
      payload: fullPayload,
      expiresAt,
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toMatch(/\/1\.0\/links\/whole$/);
    expect(created.body).toEqual({
      success: true,
      data: { ...link('whole', short), ...aliases(short) },
      timestamp: aTime,
    });
    expect((await project.call('GET', '/links')).body).toEqual({
      success: true,
      data: [full('whole', short)],
      pagination: { page: 1, pageSize: 50, total: 1, totalPages: 1 },
    });
    const analytics = {
      totalClicks: 0,
      uniqueClicks: 0,
      clicksByPlatform: { ios: 0, android: 0, web: 0 },
      clicksByCountry: {},
    };
    expect((await project.call('GET', '/links/whole')).body).toEqual({
      success: true,
      data: { ...full('whole', short), ...aliases(short), analytics },
      timestamp: aTime,
    });
    const { id, updatedAt } = await shown('whole');
    expect((await update('whole', { payload })).body).toEqual({ success: true, data: { message: aMessage } });
    expect((await shown('whole')).updatedAt > updatedAt).toBe(true);
    expect((await project.call('PUT', '/links/whole/status', { status: 'PAUSED' })).body).toEqual({
      success: true,
      data: { message: aMessage, id, code: 'whole', status: 'PAUSED', updatedAt: aTime },
    });
    const check = (code: string) => project.call('GET', `/links/check/${code}`);
    expect((await check('whole')).body).toEqual({
      success: true,
      data: { code: 'whole', available: false, message: aMessage },
    });
    expect((await check('Whole')).body.data).toEqual({ code: 'Whole', available: true, message: aMessage });
    expect((await project.call('DELETE', '/links/whole')).body).toEqual({
      success: true,
      data: { message: aMessage, id, code: 'whole' },
    });
  });

  test('of a mobile app', async () => {
    const created = await project.call('POST', '/mobile-apps', iosApp);
    expect(created.status).toBe(201);
    const app = { ...iosApp, ...shownFields(iosApp), id: anId, createdAt: aTime, updatedAt: aTime };
    expect(created.body).toEqual({ success: true, data: app, timestamp: aTime });
    const { id } = created.body.data;
    expect(created.headers.get('location')).toMatch(new RegExp(`/1\\.0/mobile-apps/${id}$`));
    const path = `/mobile-apps/${id}`;
    expect((await project.call('GET', path)).body).toEqual(
      created.body.timestamp && { ...created.body, timestamp: aTime },
    );
    const change = { name: 'New', appStoreId: '42', platform: 'ANDROID', packageName: null, id: 'other' };
    const changed = await project.call('PUT', path, change);
    expect(changed.body).toEqual({
      success: true,
      data: { ...app, id, name: 'New', appStoreId: '42', createdAt: created.body.data.createdAt },
      timestamp: aTime,
    });
    expect(changed.body.data.updatedAt > created.body.data.updatedAt).toBe(true);
    expect((await project.call('PUT', path, { appStoreId: null })).body.data.appStoreId).toBeNull();
    expect((await project.call('PUT', path, { packageName: 'x' })).body).toEqual(
      coded('VALIDATION_ERROR', { timestamp: aTime }),
    );
    expect((await project.call('DELETE', path)).body).toEqual({
      success: true,
      data: { message: aMessage },
      timestamp: aTime,
    });
    expect((await project.call('GET', path)).body).toEqual({
      success: false,
      error: 'Mobile app not found',
      timestamp: aTime,
    });
  });

  test('of usage', async () => {
    const { headers, body } = await project.call('GET', '/usage');
    const used = 180_000 - Number(headers.get('x-ratelimit-remaining'));
    expect(body).toEqual({
      success: true,
      data: {
        limit: 180_000,
        used,
        remaining: 180_000 - used,
        resetAt: headers.get('x-ratelimit-reset'),
        windowSeconds: 3600,
      },
    });
  });
});

test('generated codes are 8 to 12 letters and digits, and unique', async () => {
  const links = await Promise.all(Array.from({ length: 30 }, () => newLink(project)));
  const codes = links.map(({ code }) => code);
  expect(new Set(codes).size).toBe(30);
  for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9]{8,12}$/);
});
