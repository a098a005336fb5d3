import type { VirtualClock } from './virtual-clock.ts';

/** In how many seconds the visits of an address are counted. */
const windowSeconds = 300;

export interface FirewallModelProps {
  readonly clock: VirtualClock;
  readonly scale: number;
  /** So many visits of an address pass in five minutes. */
  readonly visitsPerAddress: number;
}

/** The firewall's rule for one address: above its limit it refuses all, and counts them, until fewer come. */
export class FirewallModel {
  readonly #props: FirewallModelProps;
  readonly #visits: { readonly second: number; count: number }[] = [];

  constructor(props: FirewallModelProps) {
    this.#props = props;
  }

  admits(): boolean {
    const { clock, scale, visitsPerAddress } = this.#props;
    const second = Math.floor(clock.now / 1000);
    if (this.#visits.at(-1)?.second !== second) this.#visits.push({ second, count: 0 });
    while ((this.#visits[0]?.second ?? second) <= second - windowSeconds) this.#visits.shift();
    const last = this.#visits.at(-1);
    if (last) last.count += 1;
    return this.#visits.reduce((sum, { count }) => sum + count, 0) <= visitsPerAddress / scale;
  }
}
