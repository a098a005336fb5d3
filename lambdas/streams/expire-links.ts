import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { countMetric, logError } from '../log.ts';

/** Stores the expiry of links whose expiry markers TTL has deleted. */
export const expirer =
  ({ links }: Granted<UsesOf<'expire-links'>>) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const outcomes = await Promise.allSettled(
      Records.map(async ({ dynamodb }) => {
        const { project, code, expiresAt } = dynamodb?.OldImage ?? {};
        if (project?.S && code?.S && expiresAt?.S) await links.expire(project.S, code.S, expiresAt.S);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') logError('An expiry was not stored yet', outcome.reason);
    }
    const failed = Records.filter((_, i) => outcomes[i]?.status === 'rejected');
    // Lambda counts such an invocation as a success.
    if (failed.length > 0) countMetric('BatchFailed', { position: failed[0]?.dynamodb?.SequenceNumber });
    return {
      batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })),
    };
  };
