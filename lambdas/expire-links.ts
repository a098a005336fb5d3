import type { DynamoDBStreamEvent } from 'aws-lambda';
import { linkStore } from '../core/links/link-store.ts';
import { openTable, tableClient } from '../core/table/sdk-table.ts';
import { logError } from './log.ts';

const links = linkStore(openTable(tableClient(), process.env.TABLE_NAME ?? ''));

/** Stores that links have expired whose expiry markers the table's TTL has removed. */
export const handler = async (event: DynamoDBStreamEvent) => {
  const outcomes = await Promise.allSettled(
    event.Records.map(async ({ dynamodb }) => {
      const { project, code, expiresAt } = dynamodb?.OldImage ?? {};
      if (project?.S && code?.S && expiresAt?.S) await links.expire(project.S, code.S, expiresAt.S);
    }),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') logError('An expiry was not stored yet', outcome.reason);
  }
  const failed = event.Records.filter((_, i) => outcomes[i]?.status === 'rejected');
  return {
    batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })),
  };
};
