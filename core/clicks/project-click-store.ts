import { seriesKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { figureNames } from './figures.ts';

/** Clicks of a project as a whole. */
export const projectClickStore = (table: Pick<Table, 'query'>) => ({
  /** Clicks of all time, those of deleted links included. */
  async total(project: string): Promise<number> {
    const { PK, SK } = seriesKey('day', '', project);
    const days = await table.query({
      KeyConditionExpression: 'PK = :series AND begins_with(SK, :day)',
      ExpressionAttributeNames: { '#clicks': figureNames.clicks },
      ExpressionAttributeValues: { ':series': PK, ':day': SK },
      ProjectionExpression: '#clicks',
      ConsistentRead: true,
    });
    return days.reduce((sum, day) => sum + Number(day[figureNames.clicks] ?? 0), 0);
  },
});
