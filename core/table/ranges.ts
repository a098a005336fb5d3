import { type Key, tableSchema } from './keys.ts';

/** All items of a partition, as they are now. */
export const itemsOf = (PK: string) => ({
  KeyConditionExpression: 'PK = :all',
  ExpressionAttributeValues: { ':all': PK },
  ConsistentRead: true,
});

/** The items of a partition whose sort keys begin as this one, as they are now. */
export const itemsFrom = ({ PK, SK }: Key) => ({
  KeyConditionExpression: 'PK = :all AND begins_with(SK, :start)',
  ExpressionAttributeValues: { ':all': PK, ':start': SK },
  ConsistentRead: true,
});

/** The items of a partition from a sort key to another, both included, as they are now. */
export const itemsBetween = ({ PK, SK }: Key, last: string) => ({
  KeyConditionExpression: 'PK = :all AND SK BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':all': PK, ':first': SK, ':last': last },
  ConsistentRead: true,
});

/** What operators list under one name. */
export const listedUnder = (LPK: string) => ({
  IndexName: tableSchema.listings.name,
  KeyConditionExpression: `${tableSchema.listings.partitionKey} = :all`,
  ExpressionAttributeValues: { ':all': LPK },
});
