import { limits } from '../../../core/base/limits.ts';
import type { Link } from '../../../core/links/link.ts';
import { placeOf } from '../../../core/links/link-list.ts';
import { refuseManyTags, tagParts, tagStore } from '../../../core/links/link-tags.ts';
import { openStores } from '../../../core/stores.ts';
import { linkKey, sortKeys, taggedLinkKey, tagNamesKey } from '../../../core/table/keys.ts';
import { itemsOf } from '../../../core/table/ranges.ts';
import type { Table } from '../../../core/table/table.ts';
import { aLinkDraft, withFields } from '../../support/builders.ts';
import { fileProject, fileTable } from '../../support/engine.ts';

const db = fileTable();
const project = fileProject(db);

const links = () => openStores(db.table).links;
const create = (fields: Partial<Link>) =>
  links().create(aLinkDraft({ project: project.id, ...fields }), { project });
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
  await links().update(key, withFields({ tags: ['c', 'a'], payload }), change);
  expect((await links().get(project.id, code)).link.tags).toEqual(['c', 'a']);
  expect(await entries()).toEqual(['a one', 'b two', 'c one']);
  await links().update(key, withFields({ name: 'New', payload }), change);
  expect((await links().get(project.id, code)).link.tags).toEqual(['c', 'a']);
  await links().update(key, withFields({ tags: null, payload }), change);
  expect((await links().get(project.id, code)).link).not.toHaveProperty('tags');
  await links().delete(project.id, 'two', change);
  expect(await entries()).toEqual([]);
  expect(await names()).toEqual(['a', 'b', 'c']);
});

test('a link that is not tagged so any more is not among all with the tag', async () => {
  const one = await create({ code: 'one', tags: ['a'] });
  await create({ code: 'two', tags: ['a', 'b'] });
  // As if it had lost the tag after its place was read.
  await db.table.put({ Item: taggedLinkKey(project.id, 'b', placeOf(one)) });
  expect(await entries()).toEqual(['a two', 'a one', 'b two']);
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

test('a place that stays is not written', () => {
  const link = { project: 'shop', code: 'abc', segment: '', createdAt: change.now.toISOString() };
  expect(tagParts(link, ['a', 'b'], ['b', 'c']).map((part) => Object.keys(part))).toEqual([
    ['Delete'],
    ['Put'],
  ]);
});

test('a project with too many tags gets no other, and keeps using its own', () => {
  const known = new Set(Array.from({ length: limits.tagsPerProject + 1 }, (_, i) => `known-${i}`));
  expect(() => refuseManyTags(['known-0'], known)).not.toThrow();
  expect(() => refuseManyTags(['another'], known)).toThrow();
});

test('a creation that another call has made is reported, also with a new tag', async () => {
  const attempt = { project: project.id, path: '/links', key: 'k', bodyHash: 'one' };
  const record = { call: attempt, now: new Date() };
  const make = (tags: string[]) =>
    links().create(aLinkDraft({ project: project.id, tags }), { project, record });
  await make([]);
  const again = make(['a']);
  await expect(again).rejects.toThrow('Another call made the link');
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
        message: expect.stringMatching(/^tags: would give the project more than 1000 tags/),
      },
    });
  const known = await names();
  expect(known).toHaveLength(1000);
  const stored = made.flatMap((one) => (one.status === 'fulfilled' ? (one.value.tags ?? []) : []));
  expect(stored.filter((tag) => !known.includes(tag))).toEqual([]);
  const [{ code } = { code: '' }] = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const key = { project: project.id, code };
  const { payload } = (await links().get(project.id, code)).link;
  const over = links().update(key, withFields({ tags: ['one-more'], payload }), change);
  await expect(over).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await links().update(key, withFields({ tags: ['known-5'], payload }), change);
});

test.each([
  [999, ['last'], true],
  [998, ['last', 'one'], true],
  [999, ['last', 'over'], false],
  [1000, ['over'], false],
  [1000, ['known-7'], true],
])('with %i other tags, a link can have %j: %j', async (known, tags, isStored) => {
  await fill(known);
  const { code, payload } = await create({});
  const outcomes = await Promise.allSettled([
    create({ tags }),
    links().update({ project: project.id, code }, withFields({ tags, payload }), change),
    links().update(
      { project: project.id, code },
      withFields({ removeTags: [], addTags: tags }),
      change,
      'any',
    ),
  ]);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(Array(3).fill(isStored));
  expect((await names()).length).toBe(
    isStored ? Math.min(1000, known + (known < 1000 ? tags.length : 0)) : known,
  );
});

/** The places of a project's links among those with a tag. */
const places = async (tag: string): Promise<string[]> => {
  const { PK } = taggedLinkKey(project.id, tag, { PK: '', SK: '' });
  return (await db.table.query(itemsOf(PK))).map(({ SK }) => String(SK).split('#').at(-1) ?? '');
};

test('a deleted link leaves no place under its tags, and a change none under those that it lost', async () => {
  const { code, payload } = await create({ code: 'one', tags: ['a', 'b'] });
  await create({ code: 'two', tags: ['a', 'b'] });
  await links().update({ project: project.id, code }, withFields({ tags: ['b'], payload }), change);
  expect([await places('a'), await places('b')]).toEqual([['two'], ['one', 'two']]);
  await links().update({ project: project.id, code }, withFields({ tags: ['a'] }), change, 'any');
  expect([await places('a'), await places('b')]).toEqual([['one', 'two'], ['two']]);
  for (const one of ['one', 'two']) await links().delete(project.id, one, change);
  expect([await places('a'), await places('b')]).toEqual([[], []]);
});

test('a link that is deleted while its tags change keeps no tag and no place', async () => {
  const { code } = await create({ code: 'one' });
  let isFirst = true;
  const table: Table = {
    ...db.table,
    async get(key) {
      const item = await db.table.get(key);
      if (key.SK === sortKeys.link && isFirst) {
        isFirst = false;
        await links().delete(project.id, code, change);
      }
      return item;
    },
  };
  const retagged = openStores(table).links.update(
    { project: project.id, code },
    withFields({ tags: ['a'] }),
    change,
    'any',
  );
  await expect(retagged).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  const stored = await db.table.get(linkKey(project.id, code));
  expect([stored?.status, stored?.tags, await places('a')]).toEqual(['DELETED', undefined, []]);
});

test('changes of the tags of one link at the same time leave it listed under those that it has', async () => {
  const { code, payload } = await create({ code: 'one', tags: ['a'] });
  const key = { project: project.id, code };
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      [['a'], ['b'], ['a', 'c'], [], ['b', 'c']].map((tags) =>
        links().update(key, withFields({ tags, payload }), change),
      ),
    );
    const { tags = [] } = (await links().get(project.id, code)).link;
    expect(await entries()).toEqual(tags.toSorted().map((tag) => `${tag} one`));
  }
});
