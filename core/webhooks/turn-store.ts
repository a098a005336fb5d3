import { ConditionFailed, type Item, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { turnsKey } from '../table/webhook-keys.ts';
import { begun, type Ending, ended, hasTurn, noTurns, type Turn, type Turns } from './turns.ts';

/** Turns, with one item for each project that has any. */
export const turnStore = (table: Pick<Table, 'put' | 'delete'>) => ({
  /** Begins a turn. Undefined if there is no place: a running turn then wakes the webhook. */
  async begin(turn: Turn, now: Date) {
    const change = changing(table, turn.project);
    const [, known] = await change((turns) => begun(turns, turn, now.getTime()));
    if (!hasTurn(known, turn)) return undefined;
    return {
      /** Time at which an earlier delayed message arrives, in epoch milliseconds; 0 if none is known. */
      nextMessageAt: known.planned[turn.webhook] ?? 0,
      /** Ends the turn. Resolves to the waiting webhook to wake, if any, or to `again` if the turn must first look again. */
      end: async (ending: Ending): Promise<{ readonly wake?: string | undefined } | 'again'> => {
        const [before, after] = await change((turns) => ended(turns, turn, ending));
        if (after === before) return {};
        return hasTurn(after, turn) ? 'again' : { wake: after.waiting.at(-1) };
      },
    };
  },
});

/** Changes a project's turns, starting from the last known ones: the write's condition fails if they have changed. */
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
      // An attempt without a response may have stored it.
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
