import type { VirtualClock } from './virtual-clock.ts';

/** The window for counting an address's visits. */
const windowSeconds = 300;

export interface FirewallModelProps {
  readonly clock: VirtualClock;
  readonly scale: number;
  /** The most visits that pass for one address in five minutes. */
  readonly visitsPerAddress: number;
}

/** The firewall's rate rule: an address above the limit is blocked until its rate falls; blocked requests count. */
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
