import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { StreamReads } from '../../local/event-source-mapping/shard-reader.ts';
import type { TestTable } from '../support/engine.ts';

export interface OutsideSweeper {
  /** Removes what has expired at this time, in milliseconds. */
  sweep(now: number): Promise<void>;
  /** Marks those removals as the service's. */
  marked(reads: StreamReads): StreamReads;
}

const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const;

/** Stands in for the sweeps of an engine whose clock no test can set. */
export const outsideSweeper = ({ client, resource: { name: TableName } }: TestTable): OutsideSweeper => {
  const removed = new Set<string>();
  const names = { '#ttl': 'ttl' };
  const remove = async ({ PK, SK, ttl }: Record<string, unknown>) => {
    removed.add(JSON.stringify([PK, SK, String(ttl)]));
    const condition = {
      ConditionExpression: '#ttl = :ttl',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':ttl': ttl },
    };
    await client.send(new DeleteCommand({ TableName, Key: { PK, SK }, ...condition }));
  };
  return {
    sweep: async (now) => {
      const { Items = [] } = await client.send(
        new ScanCommand({
          TableName,
          FilterExpression: '#ttl < :now',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
        }),
      );
      for (const item of Items) await remove(item);
    },
    marked: ({ reader, close }) => ({
      close,
      reader: (...from) => {
        const { next, seek } = reader(...from);
        const mark = (read: Awaited<ReturnType<typeof next>>['records'][number]) => {
          const { eventName, dynamodb } = read.record;
          const { PK, SK, ttl } = dynamodb.OldImage ?? {};
          const isSwept = removed.has(JSON.stringify([PK?.S, SK?.S, ttl?.N]));
          if (eventName !== 'REMOVE' || !isSwept) return read;
          return { ...read, record: { ...read.record, userIdentity: service } };
        };
        return {
          seek,
          next: () => next().then((page) => ({ ...page, records: page.records.map(mark) })),
        };
      },
    }),
  };
};
