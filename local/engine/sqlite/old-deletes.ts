import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastSecondOf } from '../../tables/record-time.ts';
import type { Table } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** When 1.2 removed an expired item; without an end if it was killed meanwhile. */
interface Removal {
  readonly from: number;
  readonly until: number;
}

/** Whether a stream record is a removal by the service, according to the list next to 1.2's database. */
export function deletesOf(stackFolder: string): (table: Table, record: Row, second: number) => boolean {
  const removals = new Map(linesOf(join(stackFolder, 'service-deletes')).flatMap(removalIn));
  return ({ name, ttl = '' }, { event_name: event, keys_json: keys, old_image: image }, second) => {
    if (event !== 'REMOVE' || image === null || removals.size === 0) return false;
    const sorted = Object.entries(JSON.parse(String(keys))).sort(([one], [other]) => (one < other ? -1 : 1));
    const removal = removals.get(JSON.stringify([name, sorted, JSON.parse(String(image))[ttl]?.N]));
    return removal !== undefined && lastSecondOf(second) >= removal.from && second <= removal.until;
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The last line of a removal counts. */
function removalIn(line: string): [string, Removal][] {
  try {
    const { key, from, until = Number.POSITIVE_INFINITY } = JSON.parse(line);
    return [[String(key), { from, until }]];
  } catch {
    // A line cut short: its removal never began.
    return [];
  }
}
