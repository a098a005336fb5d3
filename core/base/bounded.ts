/** A map of at most so many entries: what was set longest ago goes first. */
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
