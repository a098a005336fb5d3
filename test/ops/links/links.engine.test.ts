import type { NewLink } from '../../../core/links/link-store.ts';
import { linkAnalytics } from '../../../ops/links/analytics.ts';
import { addLink } from '../../../ops/links/link-edits.ts';
import { removeLink, setLinkStatus, showLink } from '../../../ops/links/links.ts';
import { prepareLink } from '../../../ops/links/prepare.ts';
import { blockLink } from '../../../ops/takedowns/takedowns.ts';
import { fileDeployment, projectIn, searchLinks, storeLink } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
});

const create = (fields: Partial<NewLink> = {}) =>
  storeLink(deployment, { project, createdAt: new Date().toISOString(), ...fields });
const codesOf = async (filter?: Parameters<typeof searchLinks>[2]) =>
  (await searchLinks(deployment, project, filter)).map(({ code }) => code);

describe('a list', () => {
  test('has the newest first, up to the limit', async () => {
    for (let i = 0; i < 60; i += 1)
      await create({ code: `link-${i}`, createdAt: new Date(Date.UTC(2026, 1, 1, 0, i)).toISOString() });
    const newest = Array.from({ length: 60 }, (_, i) => `link-${59 - i}`);
    expect(await codesOf()).toEqual(newest.slice(0, 50));
    expect(await codesOf({ limit: 3 })).toEqual(newest.slice(0, 3));
    expect(await codesOf({ limit: 100 })).toEqual(newest);
  });

  test('shows current statuses', async () => {
    await create({ code: 'active' });
    await create({ code: 'paused', status: 'PAUSED' });
    await create({ code: 'over', expiresAt: '2026-02-02T00:00:00.000Z' });
    expect(await codesOf({ status: 'ACTIVE' })).toEqual(['active']);
    expect(await codesOf({ status: 'PAUSED' })).toEqual(['paused']);
    expect(await codesOf({ status: 'EXPIRED' })).toEqual(['over']);
  });

  test('fails for an unknown project', async () => {
    await expect(searchLinks(deployment, 'nowhere')).rejects.toThrow('There is no project nowhere');
  });
});

test('a link is shown as its owner sees it', async () => {
  await create({ code: 'launch', name: 'Launch' });
  expect(await showLink(deployment, project, 'launch')).toMatchObject({
    code: 'launch',
    name: 'Launch',
    shortUrl: `https://go.example/${project}/launch`,
    projectId: project,
    analytics: { totalClicks: 0 },
  });
});

test("operators' links may not lead to the distribution's own name", async () => {
  const given = { ...deployment, shortHosts: 'go.example.com,d2.cloudfront.net' };
  const body = { payload: { link: 'https://d2.cloudfront.net/launch' } };
  await expect(addLink(given, project, body)).rejects.toThrow("this service's own short host");
});

test('changing a blocked link fails with the command that unblocks it', async () => {
  await create({ code: 'launch' });
  await blockLink(deployment, { project, code: 'launch' });
  await expect(setLinkStatus(deployment, project, 'launch', 'PAUSED')).rejects.toThrow(
    `launch is blocked; 'link unblock launch --project ${project}' unblocks it`,
  );
});

test('a link has the same order of fields whatever the table returns', async () => {
  const payload = {
    link: 'https://example.com/',
    android: { package: 'com.example', store_fallback: 'https://example.com/a', min_version: '3' },
    social: { title: 'T', description: 'D', image: 'https://example.com/i.png' },
    campaign: { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' },
    desktop_fallback: 'https://example.com/d',
  };
  await create({ code: 'launch', name: 'Launch', payload, expiresAt: '2036-01-01T00:00:00.000Z' });
  const blocked = await blockLink(deployment, { project, code: 'launch' }, 'phishing');
  expect(Object.keys(blocked)).toEqual([
    ...['id', 'code', 'shortUrl', 'name', 'status', 'blocked', 'blockedAt', 'blockedReason', 'qrCode'],
    ...['createdAt', 'expiresAt', 'clickCount', 'payload', 'projectId', 'createdBy', 'updatedAt'],
    ...['shortLink', 'originalUrl', 'previewLink', 'analytics'],
  ]);
  expect(JSON.stringify(blocked.payload)).toBe(JSON.stringify(payload));
  for (const shown of [
    await showLink(deployment, project, 'launch'),
    (await searchLinks(deployment, project))[0],
  ])
    expect(JSON.stringify(shown)).toBe(JSON.stringify(blocked));
});

test('an operator can pause, activate and delete, and the link records it', async () => {
  await create({ code: 'launch' });
  expect(await setLinkStatus(deployment, project, 'launch', 'PAUSED')).toMatchObject({
    status: 'PAUSED',
    updatedBy: 'operator',
  });
  await expect(setLinkStatus(deployment, project, 'launch', 'PAUSED')).rejects.toThrow('already PAUSED');
  expect(await setLinkStatus(deployment, project, 'launch', 'ACTIVE')).toMatchObject({ status: 'ACTIVE' });
  expect(await removeLink(deployment, project, 'launch')).toMatchObject({ code: 'launch' });
  expect(await codesOf()).toEqual([]);
  expect(await linkAnalytics(deployment, { project, code: 'launch' })).toMatchObject({ clicks: 0 });
});

test.each([
  ['show', () => showLink(deployment, project, 'nope')],
  ['pause', () => setLinkStatus(deployment, project, 'nope', 'PAUSED')],
  ['delete', () => removeLink(deployment, project, 'nope')],
  ['analytics', () => linkAnalytics(deployment, { project, code: 'nope' })],
  ['prepare', () => prepareLink(deployment, { project, code: 'nope', visits: 10 }, () => undefined)],
])('%s names the link that is missing', async (_, ask) => {
  await expect(ask()).rejects.toThrow(`The project ${project} has no link nope`);
});
