import { segmentCounters } from '../../core/links/link-list.ts';
import { linkKey, listedLinkKey, segmentKey, taggedLinkKey } from '../../core/table/keys.ts';
import { fillTable, type TableAccess } from './fill-table.ts';

const linksPerSegment = 1000;

/** Writes links in bulk: the items and list segments that creations would have written. */
export const loadLinks = (
  table: TableAccess,
  project: string,
  codes: readonly string[],
  tagsOf: TagsOf = () => [],
): Promise<void> =>
  fillTable(
    table,
    codes.flatMap((_, i) => itemsOf({ project, codes, tagsOf }, i)),
  );

type TagsOf = (i: number) => readonly string[];

interface Load {
  readonly project: string;
  readonly codes: readonly string[];
  readonly tagsOf: TagsOf;
}

const itemsOf = ({ project, codes, tagsOf }: Load, i: number): object[] => {
  const code = codes[i] ?? '';
  const segment = timeOf(i - (i % linksPerSegment));
  const createdAt = timeOf(i);
  const tags = tagsOf(i);
  const place = listedLinkKey(project, segment, createdAt, code);
  const link = {
    id: code,
    project,
    code,
    segment,
    status: 'ACTIVE',
    payload: { link: 'https://example.com/landing', ios: { app_store_id: '123456789' } },
    createdAt,
    updatedAt: createdAt,
    createdBy: 'bench',
    ...(tags.length > 0 && { tags }),
  };
  return [
    { ...linkKey(project, code), ...link },
    place,
    ...tags.map((tag) => taggedLinkKey(project, tag, place)),
    ...(i % linksPerSegment === 0
      ? countsOf(project, segment, Math.min(linksPerSegment, codes.length - i))
      : []),
  ];
};

const countsOf = (project: string, segment: string, links: number): object[] =>
  Array.from({ length: segmentCounters }, (_, i) => ({
    ...segmentKey(project, segment, i),
    n: Math.floor((links + i) / segmentCounters),
  }));

const start = Date.parse('2026-01-01T00:00:00.000Z');
const timeOf = (i: number) => new Date(start + i * 100).toISOString();
