import { generateCode } from '../../../core/links/code-generator.ts';
import type { Link } from '../../../core/links/link.ts';
import { linkStore } from '../../../core/links/link-store.ts';
import { tagStore } from '../../../core/links/link-tags.ts';
import { projectStore, type StoredProject } from '../../../core/projects/project-store.ts';
import { tagNamesKey } from '../../../core/table/keys.ts';
import { aLinkDraft, aProject } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
let project: StoredProject;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());
beforeEach(async () => {
  project = aProject();
  await projectStore(db.table).create(project);
});

const links = () => linkStore(db.table);
const create = (fields: Partial<Link>) =>
  links().create(aLinkDraft({ project: project.id, ...fields }), { project, generateCode });
const names = () => tagStore(db.table).list(project.id);
const change = { now: new Date('2026-03-01T00:00:00.000Z'), by: 'ann' };

/** Notes so many names at once. */
const fill = (count: number) =>
  db.table.put({
    Item: {
      ...tagNamesKey(project.id),
      names: new Set(Array.from({ length: count }, (_, i) => `known-${i}`)),
    },
  });

const entries = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const tag of ['a', 'b', 'c']) {
    for await (const portion of links().all(project.id, [tag]))
      found.push(...portion.map(({ link }) => `${tag} ${link.code}`));
  }
  return found;
};

test('a link is listed under its tags as long as it has them', async () => {
  const { code, payload } = await create({ code: 'one', tags: ['a', 'b'] });
  await create({ code: 'two', tags: ['b'] });
  expect(await entries()).toEqual(['a one', 'b two', 'b one']);
  const key = { project: project.id, code };
  await links().update(key, { tags: ['c', 'a'], payload }, change);
  expect((await links().get(project.id, code)).link.tags).toEqual(['c', 'a']);
  expect(await entries()).toEqual(['a one', 'b two', 'c one']);
  await links().update(key, { name: 'New', payload }, change);
  expect((await links().get(project.id, code)).link.tags).toEqual(['c', 'a']);
  await links().update(key, { tags: null, payload }, change);
  expect((await links().get(project.id, code)).link).not.toHaveProperty('tags');
  await links().delete(project.id, 'two', change);
  expect(await entries()).toEqual([]);
  expect(await names()).toEqual(['a', 'b', 'c']);
});

test('names are exact when many links get new tags at the same time', async () => {
  const tagsOf = (i: number) => [`t${i % 7}`, `u${i % 5}`, 'common'];
  await Promise.all(Array.from({ length: 35 }, (_, i) => create({ tags: tagsOf(i) })));
  const wanted = new Set(Array.from({ length: 35 }, (_, i) => tagsOf(i)).flat());
  expect(await names()).toEqual([...wanted].sort());
});

test('a failed creation leaves no name', async () => {
  await create({ code: 'taken' });
  await expect(create({ code: 'taken', tags: ['a'] })).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
  expect(await names()).toEqual([]);
});

test('a project has at most a thousand tags, even if its links get new ones at the same time', async () => {
  await fill(994);
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) => create({ tags: [`new-${i % 8}`, 'known-1'] })),
  );
  const refused = made.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(2);
  for (const one of refused)
    expect(one).toMatchObject({
      reason: {
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^tags: would make more than 1000/),
      },
    });
  const known = await names();
  expect(known).toHaveLength(1000);
  const stored = made.flatMap((one) => (one.status === 'fulfilled' ? (one.value.tags ?? []) : []));
  expect(stored.filter((tag) => !known.includes(tag))).toEqual([]);
  const [{ code } = { code: '' }] = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const key = { project: project.id, code };
  const { payload } = (await links().get(project.id, code)).link;
  const over = links().update(key, { tags: ['one-more'], payload }, change);
  await expect(over).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await links().update(key, { tags: ['known-5'], payload }, change);
});

test('changes of the tags of one link at the same time leave it listed under those that it has', async () => {
  const { code, payload } = await create({ code: 'one', tags: ['a'] });
  const key = { project: project.id, code };
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      [['a'], ['b'], ['a', 'c'], [], ['b', 'c']].map((tags) =>
        links().update(key, { tags, payload }, change),
      ),
    );
    const { tags = [] } = (await links().get(project.id, code)).link;
    expect(await entries()).toEqual(tags.toSorted().map((tag) => `${tag} one`));
  }
});
