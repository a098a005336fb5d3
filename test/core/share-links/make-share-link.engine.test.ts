import * as fc from 'fast-check';
import { generatePublishableKey } from '../../../core/api-keys/api-key.ts';
import { dayMs } from '../../../core/base/durations.ts';
import { Failure } from '../../../core/base/failure.ts';
import { linkChangeOf } from '../../../core/events/link-change.ts';
import type { Link } from '../../../core/links/link.ts';
import { makeShareLink } from '../../../core/share-links/make-share-link.ts';
import type { ShareRequest } from '../../../core/share-links/share-request.ts';
import { openStores } from '../../../core/stores.ts';
import { linkKey, shareCountKey } from '../../../core/table/keys.ts';
import { itemsOf } from '../../../core/table/ranges.ts';
import { anApiKey } from '../../support/builders.ts';
import { fileTable, newProject } from '../../support/engine.ts';
import { fileFaults } from '../../support/faults.ts';
import { openWholeTable } from '../../support/lean-table.ts';

const db = fileTable();
const faulty = fileFaults(db);
const stores = () => openStores(db.table);
const start = new Date('2026-03-01T12:00:00.000Z');
const later = (days: number) => new Date(start.getTime() + days * dayMs);
const payload = { link: 'https://shop.example/join' };

/** A project with a publishable key, and calls of this key. */
const sharing = async (fields: object = {}) => {
  const project = await newProject(db);
  const apiKey = generatePublishableKey();
  const template = JSON.stringify({ payload, allow: ['link.path', 'data'], ...fields });
  const key = {
    ...anApiKey(apiKey, { project: project.id, scopes: [] }),
    share: { apiKey, template, perHour: 5000 },
  };
  await stores().apiKeys.create(key);
  const caller = { project: project.id, keyId: key.keyId };
  const context = { caller, shortBase: 'https://s.example', shortHosts: ['s.example'] };
  return {
    project: project.id,
    keyId: key.keyId,
    share: (request: ShareRequest = {}, now = start, table = db.table) =>
      makeShareLink(request, { ...context, now }, openStores(table)),
    made: async () => Number((await db.table.get(shareCountKey(project.id, key.keyId)))?.n ?? 0),
  };
};

const codeOf = async (act: Promise<unknown>) => {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Failure ? error.code : error;
};

test('an equal request gets the same link, and another one gets its own', async () => {
  const { project, keyId, share, made } = await sharing({ tags: ['invite'] });
  const first = await share({ data: { by: 'ann' } });
  expect(first).toEqual({
    code: expect.stringMatching(/^\w{10}$/),
    shortUrl: `https://s.example/${project}/${first.code}`,
    link: payload.link,
    expiresAt: later(90).toISOString(),
    isNew: true,
  });
  expect(await share({ data: { by: 'ann' } })).toEqual({ ...first, isNew: false });
  const other = await share({ link: `${payload.link}/7` });
  expect(other).toMatchObject({ link: `${payload.link}/7`, isNew: true });
  expect(await made()).toBe(2);
  const { link } = await stores().links.get(project, first.code);
  expect(link).toMatchObject({ createdBy: keyId, tags: ['invite'], payload: { data: { by: 'ann' } } });
  const after = await db.table.get(linkKey(project, first.code));
  const event = linkChangeOf({
    key: { ...linkKey(project, first.code) },
    ...{ after, before: undefined, takenIn: start.getTime(), name: 'one' },
  });
  expect(event).toMatchObject({ type: 'link.created', by: keyId, link: { createdBy: keyId } });
});

test('a share link is in no list, and can be changed and deleted like any link', async () => {
  const { project, share } = await sharing({ tags: ['invite'] });
  const { code } = await share();
  const { links } = stores();
  const retagged = async (link: Link) => ({ link: { ...link, tags: ['other'] }, apps: [] });
  await links.update({ project, code }, retagged, { now: start });
  await links.delete(project, code, { now: start });
  expect(await links.page(project, 1, 10)).toEqual({ links: [], total: 0 });
  expect(await db.table.query(itemsOf(`TAGGED#${project}#other`))).toEqual([]);
  expect(await links.count(project)).toBe(0);
});

test('equal requests at once make one link', async () => {
  const { share, made } = await sharing();
  const answers = await Promise.all(Array.from({ length: 20 }, () => share()));
  expect(new Set(answers.map(({ code }) => code)).size).toBe(1);
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await made()).toBe(1);
});

test.each<[what: string, days: number, isNew: boolean]>([
  ['with more than a quarter of its days left', 60, false],
  ['with a quarter of its days left', 67.5, true],
  ['after its expiry', 91, true],
])('a link %s is %s days old: a new one is made: %s', async (_, days, isNew) => {
  const { share } = await sharing();
  const first = await share();
  const next = await share({}, later(days));
  expect(next.isNew).toBe(isNew);
  expect(next.code === first.code).toBe(!isNew);
});

test('a paused or blocked link is not available, and a deleted one is replaced', async () => {
  const { project, share, made } = await sharing();
  const { code } = await share();
  const { links } = stores();
  await links.setStatus(project, code, 'PAUSED', { now: start });
  expect(await codeOf(share({}, later(80)))).toBe('BAD_REQUEST');
  await links.setStatus(project, code, 'ACTIVE', { now: start });
  await links.block(project, code, { now: start });
  expect(await codeOf(share({}, later(100)))).toBe('BAD_REQUEST');
  expect(await made()).toBe(1);
  await links.unblock(project, code, { now: start });
  await links.delete(project, code, { now: start });
  expect(await share()).toMatchObject({ isNew: true });
});

test('a key makes no more links than its template allows', async () => {
  const { share, made } = await sharing({ maxLinks: 1 });
  await share();
  expect(await codeOf(share({ data: { a: 'b' } }))).toBe('LIMIT_REACHED');
  expect(await share()).toMatchObject({ isNew: false });
  expect(await made()).toBe(1);
});

test('a template that can make no link any more has a fault of its own', async () => {
  const { share } = await sharing({
    payload: { ...payload, iosAppId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' },
  });
  await expect(share()).rejects.toMatchObject({ faults: [{ field: 'template' }] });
});

test('a stored template that this version refuses is a fault of the template', async () => {
  const { share } = await sharing({ payload: { link: 'ftp://shop.example/' }, colour: 'red' });
  const reasons = expect.stringMatching(/payload\.link .*colour /);
  await expect(share()).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    faults: [{ field: 'template', message: reasons }],
  });
});

test('each content has one active link after lost responses, throttling and killed calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(
        fc.constantFrom('none', 'none', 'none', 'lose-answer', 'throttle', 'in-progress', 'kill'),
      ),
      fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 4, maxLength: 10 }),
      async (faults, contents) => {
        const { project, share, made } = await sharing();
        faulty.fault = (_, body) => {
          const fault = body.includes(project) ? faults.next().value : 'none';
          return fault === 'kill' ? 'hang' : fault;
        };
        const hurried = openWholeTable(faulty.endpoint, { deadlineMs: 500 });
        await Promise.allSettled(contents.map((by) => share({ data: { by } }, start, hurried)));
        faulty.fault = () => 'none';
        const kinds = [...new Set(contents)];
        const codes = await Promise.all(kinds.map(async (by) => (await share({ data: { by } })).code));
        expect(await made()).toBe(kinds.length);
        expect(new Set(codes).size).toBe(kinds.length);
      },
    ),
    { numRuns: 12 },
  );
});
