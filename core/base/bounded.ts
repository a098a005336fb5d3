/** A map with a limited number of entries; the least recently set one is evicted. */
export class Bounded<Value> extends Map<string, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(name: string, value: Value): this {
    this.delete(name);
    if (this.size >= this.#most) this.delete(this.keys().next().value ?? '');
    return super.set(name, value);
  }
}
