import { noteFirstLink } from '../../../core/links/first-link.ts';
import { type ImportedLink, linkImportStore } from '../../../core/links/link-import.ts';
import { projectStore } from '../../../core/projects/project-store.ts';
import { openStores } from '../../../core/stores.ts';
import { aLinkDraft, unique } from '../../support/builders.ts';
import { fileProject, fileTable } from '../../support/engine.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();
const project = fileProject(db);

const longAgo = '2020-02-01T12:00:00.000Z';
const anImport = (fields: Partial<ImportedLink> = {}): ImportedLink => ({
  ...aLinkDraft({ project: project.id, createdAt: longAgo, updatedAt: longAgo, createdBy: 'operator' }),
  code: unique('code'),
  isNew: false,
  ...fields,
});
const importAll = (links: readonly ImportedLink[], table = db.table) =>
  linkImportStore(table).create(links, { project, segments: [], counter: 4, change: { now: new Date() } });

test('more links than one transaction can write are all stored and counted', async () => {
  const links = Array.from({ length: 60 }, (_, i) => {
    const createdAt = new Date(Date.UTC(2015, i, 1)).toISOString();
    // Five writes each: a code that could be generated, an expiry, its own segment.
    return anImport({ code: `generat${100 + i}`, expiresAt: '2040-01-01T00:00:00.000Z', createdAt });
  });
  expect((await importAll(links)).size).toBe(60);
  const { total, links: page } = await openStores(db.table).links.page(project.id, 1, 100);
  expect(total).toBe(60);
  expect(page.map(({ link }) => link.code)).toEqual(links.map(({ code }) => code).reverse());
});

test('among links stored together, only those with taken codes fail', async () => {
  const [taken, gone] = [anImport({ name: 'Mine' }), anImport()];
  await importAll([taken, gone]);
  await openStores(db.table).links.delete(project.id, gone.code, { now: new Date() });
  const free = Array.from({ length: 5 }, () => anImport());
  const created = await importAll([
    ...free.slice(0, 2),
    { ...taken, name: 'Theirs' },
    gone,
    ...free.slice(2),
  ]);
  expect([...created].sort()).toEqual(free.map(({ code }) => code).sort());
  expect((await openStores(db.table).links.get(project.id, taken.code)).link.name).toBe('Mine');
  expect((await openStores(db.table).links.page(project.id, 1, 100)).total).toBe(6);
});

test('only links that are new now may begin a segment', async () => {
  const chance = jest.spyOn(Math, 'random').mockReturnValue(0);
  const announced = async () => (await projectStore(db.table).get(project.id)).nextSegment;
  await importAll([anImport()]);
  expect(await announced()).toBeUndefined();
  await importAll([anImport({ isNew: true, createdAt: new Date().toISOString() })]);
  expect(await announced()).toBeDefined();
  chance.mockRestore();
});

test("the time of the project's first link outlives that link", async () => {
  const links = [2019, 2017, 2018].map((year) => anImport({ createdAt: `${year}-01-01T00:00:00.000Z` }));
  await importAll(links);
  await openStores(db.table).links.delete(project.id, links[1]?.code ?? '', { now: new Date() });
  expect(await openStores(db.table).links.firstAt(project.id)).toBe('2017-01-01T00:00:00.000Z');
});

test('no transaction has more parts than DynamoDB takes', async () => {
  const parts: number[] = [];
  const table = tableBefore(db.table, 'transact', ({ length }) => parts.push(length));
  // Each in a segment of its own, with its counter: nineteen of five parts, and two of three.
  const links = Array.from({ length: 21 }, (_, i) =>
    anImport({
      createdAt: new Date(Date.UTC(2010, i, 1)).toISOString(),
      ...(i < 19 && { code: `generat${200 + i}`, expiresAt: '2040-01-01T00:00:00.000Z' }),
    }),
  );
  // Twenty of five, whose new tags are one part more.
  const tagged = Array.from({ length: 20 }, (_, i) =>
    anImport({
      createdAt: new Date(Date.UTC(2010, i, 1)).toISOString(),
      expiresAt: '2040-01-01T00:00:00.000Z',
      tags: [`month-${i}`],
    }),
  );
  for (const some of [links, links.toReversed(), tagged]) {
    await importAll(some, table);
  }
  expect(Math.max(...parts)).toBeLessThanOrEqual(100);
  expect(Math.max(...parts)).toBeGreaterThan(90);
});

test('the first link of a project is the oldest, in whatever order they come', async () => {
  const stale = await projectStore(db.table).get(project.id);
  const times = ['2020-03-01', '2020-01-01', '2020-05-01'].map((day) => `${day}T00:00:00.000Z`);
  for (const createdAt of times) await noteFirstLink(db.table, stale, createdAt);
  expect((await projectStore(db.table).get(project.id)).firstLinkAt).toBe(times[1]);
});
