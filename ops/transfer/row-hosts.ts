import type { ImportWarning, RowHosts, Source, SourceRow } from './row.ts';
import { shownColumn } from './unknown-columns.ts';

/** A shared host that can't move, so its codes are imported regardless of the named host. */
const everybodys = 'bit.ly';

/** Hosts that belong to other services, and so to no project. */
const services =
  /(^|\.)(bit\.ly|j\.mp|page\.link|app\.link|bnc\.lt|dub\.sh|rebrand\.ly|short\.gy|kutt\.(it|to)|tinyurl\.com)$/;

interface Moving {
  /** Hosts that move here with the links: a link to one of them would lead to itself or to another link. */
  readonly all: ReadonlySet<string>;
  /** The number of rows. */
  readonly count: number;
  /** Hosts of rows that can be imported. */
  readonly kept: ReadonlySet<string>;
  /** The source's rows; those on other hosts than the project's are at fault where that matters. */
  readonly rows: () => AsyncIterable<SourceRow>;
}

/** Reads all rows once for their hosts. */
export const movingHosts = async (
  source: Source,
  { given, own }: RowHosts,
  signal?: AbortSignal,
): Promise<Moving> => {
  const named = given === undefined ? [] : [given];
  const [all, kept, elsewhere] = [new Set(named), new Set(named), new Set<string>()];
  const here = new Set([...named, ...own, everybodys]);
  const isElsewhere = ({ shortHosts = [] }: SourceRow) =>
    shortHosts.length > 0 && !shortHosts.some((host) => here.has(host));
  let count = 0;
  for await (const row of source.rows()) {
    if (signal?.aborted) break;
    count += 1;
    for (const host of row.shortHosts ?? []) {
      all.add(host);
      if (!row.fault) (isElsewhere(row) ? elsewhere : kept).add(host);
    }
  }
  const isStrict =
    source.refusesElsewhere === 'always' ||
    (source.refusesElsewhere === 'ifKnown' && [...named, ...own].some((host) => all.has(host)));
  async function* rows() {
    for await (const row of source.rows())
      yield isElsewhere(row) ? { ...row, fault: faultOf(row), isElsewhere: true } : row;
  }
  return isStrict
    ? { all, count, kept, rows }
    : { all, count, kept: new Set([...kept, ...elsewhere]), rows: () => source.rows() };
};

const faultOf = ({ shortHosts: [host = ''] = [] }: SourceRow): ImportWarning => {
  const why = "is not the project's: assign it, or name it with --host";
  return { reason: `its host ${why}`, detail: `its host ${host} ${why}` };
};

/** The most hosts in a message; a file can have any number. */
const hostsNamed = 3;

/** Notes on where codes of hosts that aren't the project's work. `base` is the project's folder. */
export const unassigned = (hosts: readonly string[], base: string): string[] => {
  const [foreign, free] = [true, false].map((isForeign) =>
    hosts.filter((host) => services.test(host) === isForeign),
  );
  return [
    ...noteOf(free, base, [
      'is not a host of the project: until it is assigned, its',
      'are not hosts of the project: until they are assigned, their',
    ]),
    ...noteOf(foreign, base, [
      "belongs to another service and can't be assigned: its",
      "belong to other services and can't be assigned: their",
    ]),
  ];
};

const noteOf = (hosts: readonly string[] = [], base: string, [ofOne, ofMany]: readonly [string, string]) => {
  const more = hosts.length - hostsNamed;
  const names = `${hosts.slice(0, hostsNamed).map(shownColumn).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return hosts.length === 0
    ? []
    : [`${names} ${hosts.length === 1 ? ofOne : ofMany} codes work below ${base}/`];
};
