import { webhookStateKey } from '../table/keys.ts';
import { ConditionFailed, met, type Updates } from '../table/table.ts';

/** A turn of the sender at a webhook, named by the message that began it. */
export interface Turn {
  readonly project: string;
  readonly webhook: string;
  readonly message: string;
}

/** A turn that nobody ends is over after this time. */
const longestTurnMs = 75_000;

/**
 * One turn at a webhook at a time: that bounds what a receiver gets at once. A message that comes meanwhile leaves a mark,
 * and the turn looks once more before it ends; so no message need wait, and none is lost. Should the sender die, the
 * message of its turn comes again and takes the turn over.
 */
export const laneStore = (table: Updates) => ({
  /**
   * Begins a turn. `busy`: another turn runs and will see what this message is about. `gone`: there is no such webhook.
   * Otherwise when another message is due, in epoch milliseconds, as far as that is known.
   */
  async begin(turn: Turn, now: Date): Promise<'busy' | 'gone' | { readonly nextMessageAt: number }> {
    for (;;) {
      try {
        const item = await table.update({
          Key: keyOf(turn),
          UpdateExpression: 'SET turn = :message, turnUntil = :until REMOVE again',
          ConditionExpression:
            'attribute_exists(PK) AND (attribute_not_exists(turn) OR turn = :message OR turnUntil < :now)',
          ExpressionAttributeValues: {
            ':message': turn.message,
            ':until': now.getTime() + longestTurnMs,
            ':now': now.getTime(),
          },
          ReturnValues: 'ALL_NEW',
        });
        return { nextMessageAt: Number(item.nextMessageAt ?? 0) };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
      const mark = table.update({
        Key: keyOf(turn),
        UpdateExpression: 'SET again = :yes',
        ConditionExpression: 'attribute_exists(turn) AND turnUntil >= :now',
        ExpressionAttributeValues: { ':yes': true, ':now': now.getTime() },
      });
      try {
        await mark;
        return 'busy';
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // Its turn has ended meanwhile, unless the webhook itself is gone.
        if (error.item === undefined) return 'gone';
      }
    }
  },

  /** Ends a turn. False if a message came meanwhile: look once more. */
  async end(turn: Turn, nextMessageAt: number | undefined): Promise<boolean> {
    const ended = await met(
      table.update({
        Key: keyOf(turn),
        UpdateExpression: `${nextMessageAt === undefined ? '' : 'SET nextMessageAt = :next '}REMOVE turn, turnUntil`,
        ConditionExpression: 'turn = :message AND attribute_not_exists(again)',
        ExpressionAttributeValues: {
          ':message': turn.message,
          ...(nextMessageAt !== undefined && { ':next': nextMessageAt }),
        },
      }),
    );
    if (ended) return true;
    // Somebody else's turn, or no webhook any more, ends this one as well.
    return !(await met(
      table.update({
        Key: keyOf(turn),
        UpdateExpression: 'REMOVE again',
        ConditionExpression: 'turn = :message',
        ExpressionAttributeValues: { ':message': turn.message },
      }),
    ));
  },
});

const keyOf = ({ project, webhook }: Turn) => webhookStateKey(project, webhook);
