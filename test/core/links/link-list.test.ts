import { countLinks, pageOfCodes, segmentCounters, walkCodes } from '../../../core/links/link-list.ts';
import { listedLinkKey, segmentKey } from '../../../core/table/keys.ts';
import { unique } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());

const timeOf = (i: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + i * 1000).toISOString();

/** Lists links in segments of these sizes, oldest first, as creations would have; resolves to their codes, newest first. */
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

test('every page of a list of several segments is where it belongs, near or far', async () => {
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

test('what another project lists is on no page', async () => {
  const [one, other] = [unique('project'), unique('project')];
  const codes = await listOf(one, [3]);
  await listOf(other, [5]);
  expect(await pageOfCodes(db.table, one, 1, 50)).toEqual({ total: 3, codes });
  expect(await pageOfCodes(db.table, unique('project'), 1, 50)).toEqual({ total: 0, codes: [] });
});

test('a walk sees every link once, in portions of any size', async () => {
  const project = unique('project');
  const codes = await listOf(project, [3, 40, 1, 21]);
  expect(await countLinks(db.table, project)).toBe(65);
  for (const portion of [2, 13, 64, 65, 66, 500]) {
    const walked: string[] = [];
    for await (const some of walkCodes(db.table, project, portion)) walked.push(...some);
    expect([portion, walked]).toEqual([portion, codes]);
  }
  for await (const some of walkCodes(db.table, unique('project'), 10)) expect(some).toEqual([]);
});
