import type { Figures } from '../links/link.ts';
import { figuresKey } from '../table/keys.ts';
import type { ReadsAndUpdates } from '../table/table.ts';
import type { ClickRecord } from './click.ts';
import { addClicks, type ShardRecords } from './click-figures.ts';
import { excludedOf, figuresOf } from './figures.ts';
import { type Redriven, redriveClicks } from './redriven-clicks.ts';

/** Figures as operators see them, beyond what belongs to a link in the API. */
export const figureStore = (table: ReadsAndUpdates) => ({
  /** What was counted of a link, and what was left out as no click, by reason. */
  async find(
    project: string,
    code: string,
  ): Promise<{ figures: Figures; excluded: Readonly<Record<string, number>> }> {
    const item = await table.get(figuresKey(project, code));
    return { figures: figuresOf(item), excluded: excludedOf(item) };
  },

  /** Adds a shard's records of one link, in the shard's order, exactly once however often they are delivered. */
  add: (records: ShardRecords, now: Date): Promise<void> => addClicks(table, records, now),

  /** Adds what a shard's mapping gave up of one link and what is not counted yet. Repeating it is harmless. */
  redrive: (shard: string, records: readonly ClickRecord[], now: Date): Promise<Redriven> =>
    redriveClicks(table, { shard, records }, now),
});
