import type { Assembly, EventSourceMapping, FunctionResource, TableResource } from './assembly.ts';
import type { Tables } from './table-services.ts';
import { startThread, type Thread } from './thread.ts';

/** What follows from changes of the tables and from time: event source mappings with their functions, and TTL. */
export interface BackgroundWork {
  readonly mappings: readonly EventSourceMapping[];
  /** Those that the mappings invoke. */
  readonly functions: readonly FunctionResource[];
  readonly tables: readonly TableResource[];
  /** The engine's, by the id of the table. */
  readonly streamArns: ReadonlyMap<string, string>;
  readonly endpoint: string;
  /** Where streams are read. */
  readonly engineEndpoint: string;
  /** Counts writes, if all of them pass the tables' gateway. */
  readonly writes: SharedArrayBuffer | undefined;
  readonly data?: string | undefined;
}

/** What a function printed. */
export interface Printed {
  readonly source: string;
  readonly text: string;
}

export interface BackgroundOptions {
  /** With all of their environment. */
  readonly functions: readonly FunctionResource[];
  readonly data?: string | undefined;
  /** Takes what functions print, by their names. */
  readonly log: (source: string, text: string) => void;
}

export function startBackground(
  { mappings, tables }: Assembly,
  { endpoint, engineEndpoint, streamArns, writes }: Tables,
  { functions, data, log }: BackgroundOptions,
): Promise<Thread<void>> {
  const invoked = new Set(mappings.map(({ functionId }) => functionId));
  const work: BackgroundWork = {
    mappings,
    functions: functions.filter(({ id }) => invoked.has(id)),
    tables,
    streamArns,
    endpoint,
    engineEndpoint,
    writes,
    data,
  };
  return startThread<void, Printed>({
    folder: import.meta.dirname,
    module: 'background-thread',
    data: work,
    onNote: ({ source, text }) => log(source, text),
  });
}
