import { Bounded } from '../base/bounded.ts';
import { limits } from '../base/limits.ts';
import type { Table } from '../table/table.ts';
import { countLinks } from './link-list.ts';

/** The rooms of projects as they were counted last. It outlives the store of one request. */
export type RoomMemory = Bounded<{ readonly room: number; readonly until: number }>;

export const newRoomMemory = (): RoomMemory => new Bounded(1000);

/** A project can't make as many: its list has four counters, and each takes at most a thousand writes a second. */
const newLinksPerSecond = 4000;
const longestMs = 60_000;

/**
 * How many links a project may still have under a limit; for every call anew near the limit, and else remembered for as
 * long as the project can't come near it. So calls one after the other are counted exactly, calls at the same moment
 * may pass the limit, and no creation writes a count that others wait for.
 */
export const linkRoom =
  (table: Table, known = newRoomMemory()) =>
  async (project: string, limit: number): Promise<number> => {
    const remembered = known.get(project);
    const asked = Date.now();
    if (remembered && asked < remembered.until) return remembered.room;
    const room = Math.max(0, limit - (await countLinks(table, project)));
    const safeMs = ((room - limits.bulkLinks) / newLinksPerSecond) * 1000;
    known.set(project, { room, until: asked + Math.min(longestMs, safeMs) });
    return room;
  };
