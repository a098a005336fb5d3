import { seriesKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { figureNames } from './figures.ts';

/** Clicks of a project as a whole. */
export const projectClickStore = (table: Pick<Table, 'query'>) => ({
  /**
   * Clicks of all days that are kept, those of deleted links included, and whether days go after a while: then this is
   * less than there were.
   */
  async total(project: string): Promise<{ clicks: number; isCut: boolean }> {
    const { PK, SK } = seriesKey('day', '', project);
    const days = await table.query({
      KeyConditionExpression: 'PK = :series AND begins_with(SK, :day)',
      ExpressionAttributeNames: { '#clicks': figureNames.clicks, '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':series': PK, ':day': SK },
      ProjectionExpression: '#clicks, #ttl',
      ConsistentRead: true,
    });
    return {
      clicks: days.reduce((sum, day) => sum + Number(day[figureNames.clicks] ?? 0), 0),
      isCut: days.some(({ ttl }) => ttl !== undefined),
    };
  },
});
