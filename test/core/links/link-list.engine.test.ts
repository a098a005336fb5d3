import {
  enlist,
  extendList,
  pageOfCodes,
  segmentAt,
  segmentCounters,
} from '../../../core/links/link-list.ts';
import { projectStore, type StoredProject } from '../../../core/projects/project-store.ts';
import { listedLinkKey, segmentKey } from '../../../core/table/keys.ts';
import { unique } from '../../support/builders.ts';
import { fileTable, newProject } from '../../support/engine.ts';

const db = fileTable();

const timeOf = (i: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + i * 1000).toISOString();

/** Writes list items in segments of these sizes, oldest first, like creations; resolves to their codes, newest first. */
const listOf = async (project: string, sizes: readonly number[]): Promise<string[]> => {
  let i = 0;
  const codes: string[] = [];
  for (const size of sizes) {
    const segment = timeOf(i);
    const puts = Array.from({ length: size }, () => {
      const code = `code-${i}`;
      codes.unshift(code);
      return { Put: { Item: listedLinkKey(project, segment, timeOf(i++), code) } };
    });
    const counts = Array.from({ length: segmentCounters }, (_, counter) => ({
      Put: {
        Item: { ...segmentKey(project, segment, counter), n: Math.floor((size + counter) / segmentCounters) },
      },
    }));
    const parts = [...puts, ...counts];
    for (let at = 0; at < parts.length; at += 100) await db.table.transact(parts.slice(at, at + 100));
  }
  return codes;
};

test('a creation chooses its counter anew at each attempt', () => {
  const place = { project: 'acme', code: 'launch', segment: timeOf(0), createdAt: timeOf(0) };
  const drawn = Array.from({ length: 100 }, () =>
    enlist(place).map((part) => JSON.stringify(typeof part === 'function' ? part() : part)),
  );
  expect(new Set(drawn.map(([, counter]) => counter)).size).toBeGreaterThan(1);
  const [, choose] = enlist(place);
  const choices = Array.from({ length: 100 }, () => JSON.stringify(typeof choose === 'function' && choose()));
  expect(new Set(choices).size).toBeGreaterThan(1);
});

test('every page of a list of several segments is right, near or far', async () => {
  const project = unique('project');
  const codes = await listOf(project, [7, 300, 1, 520, 430]);
  expect(codes).toHaveLength(1258);
  for (const pageSize of [1, 10, 97, 100]) {
    const last = Math.ceil(codes.length / pageSize);
    const boundary = Math.floor(1000 / pageSize);
    const pages = [1, 2, boundary - 1, boundary, boundary + 1, boundary + 2, last - 1, last, last + 1];
    for (const page of pages) {
      expect([page, await pageOfCodes(db.table, project, page, pageSize)]).toEqual([
        page,
        { total: codes.length, codes: codes.slice((page - 1) * pageSize, page * pageSize) },
      ]);
    }
  }
});

test('a list has no links of another project', async () => {
  const [one, other] = [unique('project'), unique('project')];
  const codes = await listOf(one, [3]);
  await listOf(other, [5]);
  expect(await pageOfCodes(db.table, one, 1, 50)).toEqual({ total: 3, codes });
  expect(await pageOfCodes(db.table, unique('project'), 1, 50)).toEqual({ total: 0, codes: [] });
});

describe('a new segment', () => {
  const stored = (id: string) => projectStore(db.table).get(id);
  const at = (seconds: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + seconds * 1000);
  const iso = (seconds: number) => at(seconds).toISOString();
  /** Lists a link created at a time, by a creation that read this version of the project. */
  const list = async (project: StoredProject, seconds: number) => {
    const createdAt = iso(seconds);
    const segment = segmentAt(project, createdAt);
    await db.table.transact(enlist({ project: project.id, code: `at-${seconds}`, createdAt, segment }));
  };
  const codes = async ({ id }: StoredProject) => (await pageOfCodes(db.table, id, 1, 100)).codes;

  // Makes the chance of one in a thousand certain.
  let random: jest.SpyInstance;
  beforeEach(() => {
    random = jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => random.mockRestore());

  test('starts at its announced time, without a gap', async () => {
    const project = await newProject(db);
    await extendList(db.table, project, at(0));
    const announced = await stored(project.id);
    expect(announced).toMatchObject({ segment: project.segment, nextSegment: iso(5) });
    await list(announced, 4.999);
    await list(announced, 5);
    expect([segmentAt(announced, iso(4.999)), segmentAt(announced, iso(5))]).toEqual([
      project.segment,
      iso(5),
    ]);
    expect(await codes(project)).toEqual(['at-5', 'at-4.999']);
  });

  test('announced late starts later, and has no link of a creation that has not read it', async () => {
    const project = await newProject(db);
    // This creation starts at 0 and announces the segment 3 seconds later.
    await list(project, 0);
    await extendList(db.table, project, at(3));
    await list(project, 3);
    await list(await stored(project.id), 2.9);
    expect(await codes(project)).toEqual(['at-3', 'at-2.9', 'at-0']);
  });

  test('has no link of a request from before it began, though its creation read it', async () => {
    const project = await newProject(db);
    await extendList(db.table, project, at(0));
    const announced = await stored(project.id);
    await extendList(db.table, announced, at(6));
    const current = await stored(project.id);
    expect(current).toMatchObject({ formerSegment: project.segment, segment: iso(5), nextSegment: iso(11) });
    await list(current, 4.9);
    await list(announced, 4.95);
    await list(current, 5.1);
    expect(await codes(project)).toEqual(['at-5.1', 'at-4.95', 'at-4.9']);
  });

  test('stays announced when creations that have not read it announce again', async () => {
    const project = await newProject(db);
    await extendList(db.table, project, at(0));
    await extendList(db.table, project, at(7));
    await extendList(db.table, await stored(project.id), at(4));
    expect(await stored(project.id)).toMatchObject({ segment: project.segment, nextSegment: iso(5) });
  });

  test('is followed by the next, and earlier requests go to the previous one', async () => {
    const project = await newProject(db);
    await extendList(db.table, project, at(0));
    const announced = await stored(project.id);
    await list(announced, 4);
    await list(announced, 6);
    await extendList(db.table, announced, at(6));
    // Another creation announces the same, a moment too late.
    await extendList(db.table, announced, at(6.5));
    const second = await stored(project.id);
    expect(second).toMatchObject({ formerSegment: project.segment, segment: iso(5), nextSegment: iso(11) });
    await list(second, 4.5);
    await list(second, 10);
    await list(second, 12);
    expect(await codes(project)).toEqual(['at-12', 'at-10', 'at-6', 'at-4.5', 'at-4']);
  });
});
