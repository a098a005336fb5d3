import type { OwnFieldName } from '../../core/links/own-fields.ts';

/** The visitors whose targets a proof compares. */
export const devices = ['android', 'iphone', 'ipad', 'desktop'] as const;
export type Device = (typeof devices)[number];

/** A value of a row that the link doesn't have. */
export interface Lost {
  /** The file's column, or the field that it would have had. */
  readonly field: string;
  readonly value: string;
}

/** A remark on a row. */
export interface ImportWarning {
  /** Text without the row's values, so that rows of one kind can be counted. */
  readonly reason: string;
  /** Text with the row's values. */
  readonly detail?: string | undefined;
}

/** A row as its file has it, unchecked. */
export interface SourceRow {
  /** First line of the row in its file, from 1. */
  readonly line: number;
  /** The code; empty if the row has no readable one. */
  readonly code: string;
  readonly link: {
    readonly [Name in OwnFieldName | 'payload' | 'apps' | 'status' | 'createdAt' | 'blocked']?: unknown;
  };
  /** Hosts of the short URLs that the row had at its source; without one, the host that it names. */
  readonly shortHosts?: readonly string[];
  /** Values that can't be stored. */
  readonly lost?: readonly Lost[];
  /** Further notes for the operator. */
  readonly notes?: readonly string[];
  /** Why the row can't be imported, if known from reading it. */
  readonly fault?: ImportWarning | undefined;
  /** Whether it is on none of the project's hosts, so that its code is not taken from a later row. */
  readonly isElsewhere?: boolean;
  /** The source's destinations, if its rules differ from ours. */
  readonly led?: Readonly<Record<Device, string>>;
}

export interface Source {
  /** A note on parts of the whole file that can't be stored. */
  readonly note?: string | undefined;
  /** All rows, from the first one at each call. */
  readonly rows: () => AsyncIterable<SourceRow>;
  /** Whether the file can hold a field, such as `name` or `payload.ios.bundleId`. */
  readonly holds: (field: string) => boolean;
  /** Whether rows contain the saved apps' settings rather than their ids. */
  readonly isFlat: boolean;
  /** Whether settings beside the destination that can't be stored are left out, with a note. */
  readonly isLenient: boolean;
  /** Whether rows on other hosts than the project's are refused: always, or if the file has one of the project's. */
  readonly refusesElsewhere?: 'always' | 'ifKnown' | undefined;
}

/** Hosts that decide which of a row's short URLs counts. */
export interface RowHosts {
  /** The host that the operator named. */
  readonly given?: string | undefined;
  /** The project's hosts. */
  readonly own: readonly string[];
}

/** Sets a value at a path such as `payload.ios.bundleId`; skips an empty one. */
export const setAt = (target: Record<string, unknown>, path: string, value: unknown): void => {
  if (value === undefined || value === '') return;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = target;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
};
