import { type Key, tableSchema } from './keys.ts';

/** All items of a partition, read consistently. */
export const itemsOf = (PK: string) => ({
  KeyConditionExpression: 'PK = :all',
  ExpressionAttributeValues: { ':all': PK },
  ConsistentRead: true,
});

/** The items of a partition whose sort keys begin with this one, read consistently. */
export const itemsFrom = ({ PK, SK }: Key) => ({
  KeyConditionExpression: 'PK = :all AND begins_with(SK, :start)',
  ExpressionAttributeValues: { ':all': PK, ':start': SK },
  ConsistentRead: true,
});

/** The items of a partition between two sort keys, both included, read consistently. */
export const itemsBetween = ({ PK, SK }: Key, last: string) => ({
  KeyConditionExpression: 'PK = :all AND SK BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':all': PK, ':first': SK, ':last': last },
  ConsistentRead: true,
});

/** The items of one partition of the `listings` index. */
export const listedUnder = (LPK: string) => ({
  IndexName: tableSchema.listings.name,
  KeyConditionExpression: `${tableSchema.listings.partitionKey} = :all`,
  ExpressionAttributeValues: { ':all': LPK },
});
