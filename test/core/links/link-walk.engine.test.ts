import fc from 'fast-check';
import type { Link } from '../../../core/links/link.ts';
import { type LinkFilter, meets } from '../../../core/links/link-filter.ts';
import { walk as rounds } from '../../../core/links/link-walk.ts';
import { hasTags } from '../../../core/links/tags.ts';
import type { StoredProject } from '../../../core/projects/project-store.ts';
import { openStores } from '../../../core/stores.ts';
import { linkKey, listedLinkKey, taggedLinkKey } from '../../../core/table/keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import { aLinkDraft, unique, withFields } from '../../support/builders.ts';
import { fileTable, newProject } from '../../support/engine.ts';
import { isNightly } from '../../support/nightly.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();

const now = new Date('2026-03-01T00:00:00.000Z');
const links = () => openStores(db.table).links;
const timeOf = (i: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + i * 60_000).toISOString();

const create = (project: StoredProject, fields: Partial<Link>) =>
  links().create(aLinkDraft({ project: project.id, ...fields }), { project });

/** The codes of all pages of a walk. */
const walk = async (project: StoredProject, filter: LinkFilter, pageSize = 3): Promise<string[]> => {
  const codes: string[] = [];
  let below: string | undefined;
  do {
    const page = await links().walk(project.id, filter, { below, pageSize, now });
    codes.push(...page.links.map(({ link }) => link.code));
    expect(page.links.length).toBeLessThanOrEqual(pageSize);
    // A walk that begins anew would never end.
    expect(page.end).not.toBe(below ?? '');
    expect(codes.length).toBeLessThanOrEqual(1000);
    below = page.end;
  } while (below !== undefined);
  return codes;
};

/** A project whose list has several segments, with a link each minute. */
const aList = async (sizes: readonly number[], tagsOf: (i: number) => readonly string[]) => {
  let i = 0;
  let project = await newProject(db);
  for (const size of sizes) {
    project = { ...project, segment: timeOf(i) };
    const made = Array.from({ length: size }, () => {
      const code = `code-${i}`;
      return create(project, { code, createdAt: timeOf(i), tags: tagsOf(i++) });
    });
    await Promise.all(made);
  }
  return project;
};

const isOf = (filter: LinkFilter) => (link: Link) =>
  hasTags(link, filter.tags ?? []) && meets(link, filter, now);

const newestFirst = (count: number, wanted: (i: number) => boolean = () => true) =>
  Array.from({ length: count }, (_, i) => i)
    .filter(wanted)
    .reverse()
    .map((i) => `code-${i}`);

describe('a walk', () => {
  const tagsOf = (i: number) => [
    'all',
    ...(i % 2 === 0 ? ['even'] : []),
    ...(i % 3 === 0 ? ['third'] : []),
    ...(i === 7 ? ['rare'] : []),
  ];
  const sizes = [4, 1, 19, 16];
  const total = 40;
  let project: StoredProject;
  beforeAll(async () => {
    project = await aList(sizes, tagsOf);
  });

  /** The codes of all links that a walk has found. */
  const codesAt = async (filter: LinkFilter, first: number): Promise<string[]> => {
    const codes: string[] = [];
    for await (const { links: found } of rounds(db.table, project.id, filter, { first }))
      codes.push(...found.map(({ code }) => code));
    return codes;
  };

  test.each([1, 7, 40, 41])('in portions of %i meets every place once', async (portion) => {
    for (const tags of [[], ['all'], ['all', 'even', 'third']]) {
      const wanted = newestFirst(total, (i) => tags.every((tag) => tagsOf(i).includes(tag)));
      expect(await codesAt({ tags }, portion)).toEqual(wanted);
    }
  });

  test('fills its pages as far as it can, and no further', async () => {
    const filter = { search: 'code-1' };
    const pages: number[] = [];
    let below: string | undefined;
    do {
      const page = await links().walk(project.id, filter, { below, pageSize: 4, now });
      pages.push(page.links.length);
      below = page.end;
    } while (below !== undefined);
    // Of code-39 to code-0 these are code-19 to code-10 and code-1.
    expect(pages).toEqual([4, 4, 3]);
    const last = await links().walk(project.id, { tags: ['third'] }, { pageSize: 14, now });
    expect([last.links.length, last.end]).toEqual([14, undefined]);
  });

  test.each([
    ['rare', (i: number) => i === 7],
    ['even,rare', () => false],
    ['even,third', (i: number) => i % 6 === 0],
    ['all,nobody', () => false],
  ])('finds the links that have all of %s', async (tags, wanted) => {
    expect(await walk(project, { tags: tags.split(',') })).toEqual(newestFirst(total, wanted));
  });

  test('finds links by any times, however they lie to the segments', async () => {
    const minute = fc.integer({ min: -2, max: total + 2 });
    const times = fc.record({
      ...{ after: fc.option(minute), before: fc.option(minute), tagged: fc.boolean() },
      pageSize: fc.constantFrom(1, 2, 7, 50),
    });
    const isWithin = (after: number | null, before: number | null) => (i: number) =>
      i >= (after ?? 0) && i < (before ?? total);
    await fc.assert(
      fc.asyncProperty(times, async ({ after, before, tagged, pageSize }) => {
        const filter: LinkFilter = {
          ...(after !== null && { createdAfter: timeOf(after) }),
          ...(before !== null && { createdBefore: timeOf(before) }),
          ...(tagged && { tags: ['all'] }),
        };
        expect(await walk(project, filter, pageSize)).toEqual(newestFirst(total, isWithin(after, before)));
      }),
      { numRuns: isNightly ? 300 : 8 },
    );
  });

  const roundsOf = async (filter: LinkFilter, first: number, table = db.table): Promise<number> => {
    let count = 0;
    for await (const _ of rounds(table, project.id, filter, { first })) count += 1;
    return count;
  };

  test('reads hardly more than the range of time that is asked for', async () => {
    const ends = { createdAfter: timeOf(20), createdBefore: timeOf(22) };
    expect(await codesAt(ends, 50)).toEqual(['code-21', 'code-20']);
    // Both, and about one before and behind them in each segment.
    expect(await roundsOf(ends, 1)).toBeLessThanOrEqual(6);
  });

  test('ends with the shortest of its lists', async () => {
    expect(await roundsOf({ tags: ['all', 'rare'] }, 2)).toBe(1);
    expect(await roundsOf({ tags: ['rare', 'all'] }, 2)).toBe(1);
  });

  test('reads its lists as they are now', async () => {
    const isConsistent: unknown[] = [];
    const table = tableBefore(db.table, 'query', ({ ConsistentRead }) => isConsistent.push(ConsistentRead));
    await roundsOf({ tags: ['even', 'third'] }, 5, table);
    expect(new Set(isConsistent)).toEqual(new Set([true]));
  });

  test.each(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])('takes %s', async (time) => {
    const isEarly = time.startsWith('0');
    expect(await walk(project, { createdAfter: time }, 50)).toHaveLength(isEarly ? total : 0);
    expect(await walk(project, { createdBefore: time }, 50)).toHaveLength(isEarly ? 0 : total);
  });
});

test('links whose times are later than the next segment, or earlier than their own, are found by them', async () => {
  const project = await newProject(db);
  for (const [segment, i] of [
    [0, 12],
    [0, 1],
    ...[8, 10, 11, 13].map((after) => [10, after] as const),
  ] as const)
    await create({ ...project, segment: timeOf(segment) }, { code: `at-${i}`, createdAt: timeOf(i) });
  expect(await walk(project, { createdAfter: timeOf(12) })).toEqual(['at-13', 'at-12']);
  expect(await walk(project, { createdAfter: timeOf(12), createdBefore: timeOf(13) })).toEqual(['at-12']);
  expect(await walk(project, { createdBefore: timeOf(9) })).toEqual(['at-8', 'at-1']);
});

test('places of links that a version without tags deleted, or that were never made, are passed over', async () => {
  const project = await newProject(db);
  const [kept, deleted] = await Promise.all([
    create(project, { tags: ['a'] }),
    create(project, { tags: ['a'] }),
  ]);
  await db.table.update(updateOf(linkKey(project.id, deleted.code), { set: { status: 'DELETED' } }));
  for (const code of [unique('code'), kept.code]) {
    const elsewhere = listedLinkKey(project.id, project.segment, timeOf(5), code);
    await db.table.put({ Item: taggedLinkKey(project.id, 'a', elsewhere) });
  }
  expect(await walk(project, { tags: ['a'] }, 1)).toEqual([kept.code]);
});

test('a call stops at a number of read units, however large the links are, and the next goes on', async () => {
  const project = await newProject(db);
  const social = { title: 'x'.repeat(200), description: 'ü'.repeat(2000) };
  const long = (start: string) => `https://example.com/${start.padEnd(2400, 'x')}`;
  const payload = {
    link: long('a'),
    desktop_fallback: long('b'),
    social,
    android: { store_fallback: long('c') },
  };
  const codes = Array.from({ length: 320 }, (_, i) => `large-${String(i).padStart(3, '0')}`);
  const queue = codes.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const code of queue) await create(project, { code, payload });
    }),
  );
  const ask = (below?: string) =>
    links().walk(project.id, { search: 'large-000' }, { below, pageSize: 50, now });
  const first = await ask();
  expect([first.links, typeof first.end]).toEqual([[], 'string']);
  const second = await ask(first.end);
  expect(second.links.map(({ link }) => link.code)).toEqual(['large-000']);
});

describe('while links are created, changed and deleted', () => {
  const tags = ['a', 'b', 'c'];
  const someTags = fc.subarray(tags);
  const step = fc.oneof(
    fc.record({ act: fc.constant('create' as const), tags: someTags }),
    fc.record({ act: fc.constantFrom('retag' as const), link: fc.nat(), tags: someTags }),
    fc.record({
      act: fc.constantFrom('delete' as const, 'rename' as const, 'turn' as const),
      link: fc.nat(),
    }),
  );
  const drawn = fc.record({
    links: fc.array(someTags, { minLength: 1, maxLength: 14 }),
    filter: fc.record(
      {
        tags: fc.subarray(tags, { minLength: 1 }),
        status: fc.constantFrom('ACTIVE' as const, 'PAUSED' as const),
        search: fc.constantFrom('NEW', 'sale'),
      },
      { requiredKeys: [] },
    ),
    pageSize: fc.integer({ min: 1, max: 4 }),
    steps: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }),
  });

  test('each link that matches all the time comes exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ links: first, filter, pageSize, steps }) => {
        const project = await newProject(db);
        let made = 0;
        const state = new Map<string, Link | undefined>();
        const always = new Set<string>();
        const ever = new Set<string>();
        const note = (code: string, link: Link | undefined) => {
          state.set(code, link);
          if (link && isOf(filter)(link)) ever.add(code);
          else always.delete(code);
        };
        const add = async (tagged: readonly string[], segment: string) => {
          made += 1;
          const fields = { code: `code-${made}`, name: made % 2 ? 'Sale' : 'Other', createdAt: timeOf(made) };
          const link = await create(
            { ...project, segment },
            { ...fields, ...(tagged.length && { tags: tagged }) },
          );
          note(link.code, link);
          return link;
        };
        for (const [i, tagged] of first.entries()) {
          const { code } = await add(tagged, timeOf(1 + Math.floor(i / 5) * 5));
          if (ever.has(code)) always.add(code);
        }
        const change = async (one: (typeof steps)[number][number]) => {
          if (one.act === 'create') return void (await add(one.tags, timeOf(made + 1)));
          const alive = [...state.values()].filter((link) => link !== undefined);
          const link = alive[one.link % Math.max(1, alive.length)];
          if (!link) return;
          const { code, payload } = link;
          const author = { now, by: 'ann' };
          if (one.act === 'delete') await links().delete(project.id, code, { now });
          const fields = one.act === 'retag' ? { tags: one.tags, payload } : { name: 'New sale', payload };
          if (one.act === 'rename' || one.act === 'retag')
            await links().update({ project: project.id, code }, withFields(fields), author);
          if (one.act === 'turn')
            await links().setStatus(project.id, code, link.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE', author);
          note(code, one.act === 'delete' ? undefined : (await links().get(project.id, code)).link);
        };
        const seen: string[] = [];
        const queue = steps.values();
        let below: string | undefined;
        do {
          const page = await links().walk(project.id, filter, { below, pageSize, now });
          for (const { link } of page.links) expect(isOf(filter)(link)).toBe(true);
          expect(page.links.length).toBeLessThanOrEqual(pageSize);
          seen.push(...page.links.map(({ link }) => link.code));
          below = page.end;
          for (const one of queue.next().value ?? []) await change(one);
        } while (below !== undefined);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((code) => !ever.has(code))).toEqual([]);
        expect([...always].filter((code) => !seen.includes(code))).toEqual([]);
      }),
      { numRuns: isNightly ? 200 : 8 },
    );
  });
});
