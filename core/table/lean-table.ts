import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { callTable, TableError } from './lean-client.ts';
import { ConditionFailed, type Item, type Updates } from './table.ts';

type Wire = Parameters<typeof unmarshall>[0];

const wire = (values: unknown) => marshall(values, { removeUndefinedValues: true });

/**
 * The table for who only updates items, many of them, and is called again when an update fails: at half the
 * processor time of the SDK's client, and a fifth of its import.
 */
export const leanTable = (name: string): Updates => ({
  async update({ Key, ExpressionAttributeValues: values, ...input }) {
    try {
      const { Attributes } = await callTable('UpdateItem', {
        TableName: name,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...input,
        Key: wire(Key),
        ...(values && { ExpressionAttributeValues: wire(values) }),
      });
      return itemOf(Attributes) ?? {};
    } catch (error) {
      if (!(error instanceof TableError) || error.name !== 'ConditionalCheckFailedException') throw error;
      throw new ConditionFailed(itemOf(error.item));
    }
  },
});

const itemOf = (item: unknown): Item | undefined =>
  item === undefined ? undefined : unmarshall(item as Wire);
