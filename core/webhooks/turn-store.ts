import { ConditionFailed, type Item, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { turnsKey } from '../table/webhook-keys.ts';
import { begun, type Ending, ended, hasTurn, noTurns, type Turn, type Turns } from './turns.ts';

/** The turns of each project, in an item that is there while there are any. */
export const turnStore = (table: Pick<Table, 'put' | 'delete'>) => ({
  /** Undefined if there is no place for the turn: one that runs sees to it. */
  async begin(turn: Turn, now: Date) {
    const change = changing(table, turn.project);
    const [, known] = await change((turns) => begun(turns, turn, now.getTime()));
    if (!hasTurn(known, turn)) return undefined;
    return {
      /** When a message comes that was sent before, in epoch milliseconds, as far as that is known. */
      nextMessageAt: known.planned[turn.webhook] ?? 0,
      /** Ends the turn. Resolves to the webhook to wake, if one waits; to `again` if the turn must look once more before. */
      end: async (ending: Ending): Promise<{ readonly wake?: string | undefined } | 'again'> => {
        const [before, after] = await change((turns) => ended(turns, turn, ending));
        if (after === before) return {};
        return hasTurn(after, turn) ? 'again' : { wake: after.waiting.at(-1) };
      },
    };
  },
});

/** Changes a project's turns, beginning with those of the change before: the table says if they have changed since. */
const changing = (table: Pick<Table, 'put' | 'delete'>, project: string) => {
  const Key = turnsKey(project);
  let held: Item | undefined;
  const store = async (turns: Turns): Promise<void> => {
    const { running, waiting, planned } = turns;
    const isLeft = running.length + waiting.length + Object.keys(planned).length > 0;
    const Item = { ...Key, running, waiting, planned, version: crypto.randomUUID() };
    const unchanged = held
      ? { ConditionExpression: 'version = :held', ExpressionAttributeValues: { ':held': held.version } }
      : { ConditionExpression: 'attribute_not_exists(PK)' };
    try {
      await (isLeft ? table.put({ Item, ...unchanged }) : table.delete({ Key, ...unchanged }));
      held = isLeft ? Item : undefined;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      held = error.item;
      // It may have been stored without an answer.
      if (held?.version !== Item.version) throw error;
    }
  };
  return (next: (turns: Turns) => Turns): Promise<readonly [Turns, Turns]> =>
    untilMet(async () => {
      const before = { ...noTurns, ...held };
      const after = next(before);
      if (after !== before) await store(after);
      return [before, after];
    });
};
