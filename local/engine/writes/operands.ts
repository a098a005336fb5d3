import { attributeOf, type Item, sure, Unsure, type Value } from './values.ts';

/** What a call gives beside its expressions. */
export interface Given {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

/** An attribute's own name. */
export type Name = (given: Given) => string;

/** A value of the call or of an item; undefined if the item hasn't got it. */
export type Operand = (item: Item, given: Given) => Value | undefined;

const token = /\s*([#:]?\w+|<>|<=|>=|[=<>(),+-])/y;

/** The words and signs of an expression. A path into an attribute has others, and is left to the engine. */
export class Tokens {
  readonly #all: string[] = [];
  #at = 0;

  constructor(expression: string) {
    const text = expression.trimEnd();
    for (token.lastIndex = 0; token.lastIndex < text.length; ) {
      const [, found] = sure(token.exec(text) ?? undefined, 'a sign');
      this.#all.push(found as string);
    }
  }

  get isOver(): boolean {
    return this.#at === this.#all.length;
  }

  get next(): string {
    return this.#all[this.#at] ?? '';
  }

  take(): string {
    const { next } = this;
    this.#at += 1;
    return next;
  }

  takes(word: string): boolean {
    const isNext = this.next.toUpperCase() === word;
    if (isNext) this.#at += 1;
    return isNext;
  }

  mustTake(word: string): void {
    if (!this.takes(word)) throw new Unsure(`${this.next} in place of ${word}`);
  }

  /** One or more, with commas. */
  list<One>(read: (tokens: Tokens) => One): One[] {
    const all = [read(this)];
    while (this.takes(',')) all.push(read(this));
    return all;
  }

  /** The arguments of a function. */
  within<Inner>(read: () => Inner): Inner {
    this.mustTake('(');
    const inner = read();
    this.mustTake(')');
    return inner;
  }
}

export function nameIn(tokens: Tokens): Name {
  const name = tokens.take();
  if (!/^#?[A-Za-z_]\w*$/.test(name)) throw new Unsure(`${name} as a name`);
  if (!name.startsWith('#')) return () => name;
  return ({ names }) => sure(names[name], name);
}

export function operandIn(tokens: Tokens): Operand {
  if (tokens.next.startsWith(':')) {
    const name = tokens.take();
    return (_, { values }) => sure(values[name], name);
  }
  const name = nameIn(tokens);
  return (item, given) => attributeOf(item, name(given));
}
