import type { Table } from '../../core/table/table.ts';

/** The table, which does something with the input of each call of this method before it carries it out. */
export const tableBefore = <Method extends keyof Table>(
  table: Table,
  method: Method,
  act: (input: Parameters<Table[Method]>[0]) => unknown,
): Table => ({
  ...table,
  [method]: async (...given: Parameters<Table[Method]>) => {
    await act(given[0]);
    // The compiler doesn't see that input and method belong together.
    return (table[method] as (...all: unknown[]) => unknown)(...given);
  },
});
