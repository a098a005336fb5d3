import { excludedKey, figuresKey } from '../table/figure-keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import { addRecords } from './click-figures.ts';
import type { DaysTable } from './closed-days.ts';
import type { ItemRecords } from './figure-items.ts';
import { excludedOf, figuresOf } from './figures.ts';
import { KnownNames } from './known-names.ts';

/** Figures as operators see them, beyond what belongs to a link in the API. */
export const figureStore = (table: DaysTable, { clock = () => new Date() } = {}) => {
  const names = new KnownNames();
  return {
    /** A link's totals, and its excluded visits by reason. */
    async find(project: string, code: string) {
      const [items, excluded] = await Promise.all([
        table.query(itemsFrom(figuresKey({ project, code }))),
        table.get(excludedKey(project, code)),
      ]);
      // Until 1.3.0: version 1.0.0 counted excluded visits in the item of the figures.
      return { figures: figuresOf(...items), excluded: excludedOf(...items, excluded) };
    },

    /** Adds a shard's records to an item, in the shard's order, exactly once however often they are delivered. */
    add: (records: ItemRecords): Promise<void> => addRecords(table, records, { clock, names }),
  };
};
