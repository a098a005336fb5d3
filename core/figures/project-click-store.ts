import type { Table } from '../table/table.ts';
import { seriesStore } from './series-store.ts';

const everyDay = { unit: 'day', start: Date.UTC(2000, 0), end: Date.UTC(9999, 11) } as const;

/** Clicks of a project as a whole. */
export const projectClickStore = (table: Pick<Table, 'get' | 'query'>) => ({
  /** Clicks of all time, those of deleted links included. */
  async total(project: string): Promise<number> {
    const days = await seriesStore(table).find({ project }, [everyDay]);
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  },
});
