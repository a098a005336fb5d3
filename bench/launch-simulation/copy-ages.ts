import type { VisitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { openItems, type Transport } from '../../core/table/port.ts';
import type { RetryPolicy } from '../../core/table/retry-policy.ts';
import type { WireItem } from '../../core/table/wire-values.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Ages of the data that visitors get: time since the container last read it from the table. */
export class CopyAges {
  readonly #clock: VirtualClock;
  oldestMs = 0;
  copies = 0;
  reads = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** The table as one container sees it, with its reads recorded. */
  noting(send: Transport) {
    const answered = new Map<string, number>();
    const clock = this.#clock;
    const noted: Transport = async (sent) => {
      const asked = clock.now;
      const body = await send(sent);
      const { Key } = sent.input as { readonly Key?: WireItem };
      if (sent.action === 'GetItem') answered.set(`${Key?.PK?.S} ${Key?.SK?.S}`, asked);
      return body;
    };
    const open = (policy: RetryPolicy) => openItems(noted, { name: 'links', policy });
    const watch = (reads: VisitorReads): VisitorReads => ({
      ...reads,
      item: async (key) => {
        const begun = clock.now;
        const item = await reads.item(key);
        const known = answered.get(`${key.PK} ${key.SK}`) ?? 0;
        this.reads += 1;
        if (known < begun) {
          this.copies += 1;
          this.oldestMs = Math.max(this.oldestMs, clock.now - known);
        }
        return item;
      },
    });
    return { open, watch };
  }
}
