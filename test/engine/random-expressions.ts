import type { Dice } from '../support/dice.ts';
import {
  attributes,
  numberOf,
  oddValue,
  types,
  usualValue,
  type Value,
  valueOfType,
} from './random-values.ts';

const plainName = /^[a-z]+$/;
const functions = ['attribute_exists', 'attribute_not_exists'];
const signs = ['=', '<>', '<', '<=', '>', '>='];

/** Draws expressions of one call, with the names and values that they need. */
export class Drawn {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, Value> = {};
  readonly #dice: Dice;
  /** Attributes that the update changes already: two paths must not overlap. */
  readonly #changed = new Set<string>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  value(value: Value): string {
    const name = `:v${Object.keys(this.values).length}`;
    this.values[name] = value;
    return name;
  }

  name(attribute: string): string {
    const mayBePlain = plainName.test(attribute) && (attribute !== 'status' || this.#dice.once(12));
    if (mayBePlain && this.#dice.below(3) > 0) return attribute;
    const name = `#${attribute.replace(/\W/g, '')}`;
    this.names[name] = attribute;
    return name;
  }

  root(): string {
    return this.#dice.pick(Object.keys(attributes));
  }

  path(): string {
    const dice = this.#dice;
    if (dice.below(3) > 0) return this.name(this.root());
    return dice.pick([
      () => `m.${this.name('x')}`,
      () => `${this.name('m')}.y.${this.name('z')}`,
      () => `${this.name('l')}[${dice.below(4)}]`,
      () => `l[${dice.below(3)}].x`,
      () => `m.x[${dice.below(2)}]`,
      () => `${this.name('s')}.x`,
      () => `n[0]`,
      () => `m.constructor`,
    ])();
  }

  operand(): string {
    const dice = this.#dice;
    if (dice.once(3)) return this.path();
    if (dice.once(6)) return `size(${this.path()})`;
    return this.value(dice.once(60) ? oddValue(dice) : usualValue(dice, this.root()));
  }

  /** One that can be compared by order, as a rule. */
  ordered(type: string): string {
    const dice = this.#dice;
    if (dice.once(15)) return this.operand();
    if (dice.once(4)) return this.name(type === 'N' ? 'n' : 's');
    if (type === 'N' && dice.once(6)) return `size(${this.path()})`;
    return this.value(valueOfType(dice, type));
  }

  condition(depth = 0): string {
    const dice = this.#dice;
    if (depth < 3 && dice.once(3)) {
      const inner = () => this.condition(depth + 1);
      return dice.pick([
        () => `${inner()} AND ${inner()}`,
        () => `${inner()} OR ${inner()}`,
        () => `(${inner()} OR ${inner()}) AND ${inner()}`,
        () => `NOT ${inner()}`,
        () => `NOT (${inner()})`,
        () => `(${inner()})`,
      ])();
    }
    return dice.pick([
      () => this.#comparison(),
      () => this.#comparison(),
      () => `${dice.pick(functions)}(${this.path()})`,
      () => `${dice.pick(functions)}(${this.path()})`,
      () => `attribute_type(${this.path()}, ${this.value({ S: dice.once(15) ? 'X' : dice.pick(types) })})`,
      () =>
        `begins_with(${this.path()}, ${this.value(valueOfType(dice, dice.once(12) ? 'N' : dice.pick(['S', 'B'])))})`,
      () => `contains(${this.path()}, ${this.operand()})`,
      () => {
        const type = dice.pick(['S', 'N']);
        return `${this.ordered(type)} BETWEEN ${this.ordered(type)} AND ${this.ordered(type)}`;
      },
      () => `${this.path()} BETWEEN ${this.value({ N: '0' })} AND ${this.value({ N: '3' })}`,
      () =>
        `${this.operand()} IN (${Array.from({ length: 1 + dice.below(3) }, () => this.operand()).join(', ')})`,
    ])();
  }

  #comparison(): string {
    const dice = this.#dice;
    const sign = dice.pick(signs);
    const type = dice.pick(['S', 'N']);
    if (/[<>]/.test(sign) && sign !== '<>')
      return `${dice.once(3) ? this.ordered(type) : this.path()} ${sign} ${this.ordered(type)}`;
    if (dice.once(3)) return `${this.operand()} ${sign} ${this.operand()}`;
    const root = this.root();
    return `${this.name(root)} ${sign} ${this.value(usualValue(dice, root))}`;
  }

  update(): string {
    const dice = this.#dice;
    this.#changed.clear();
    const clauses = [
      () => `SET ${this.#list(() => this.#setting())}`,
      () => `REMOVE ${this.#list(() => this.#target())}`,
      () => `ADD ${this.#list(() => this.#adding())}`,
      () => `DELETE ${this.#list(() => this.#deleting())}`,
    ].filter(() => dice.once(3));
    if (clauses.length === 0) return `SET ${this.#setting()}`;
    return clauses.map((clause) => clause()).join(' ');
  }

  #list(one: () => string): string {
    return Array.from({ length: this.#dice.once(3) ? 2 : 1 }, one).join(', ');
  }

  /** A path that no other change of the update overlaps with, as a rule. */
  #target(roots: readonly string[] = Object.keys(attributes)): string {
    const dice = this.#dice;
    if (dice.once(30)) return this.path();
    const free = roots.filter((root) => !this.#changed.has(root));
    const root = free.length > 0 ? dice.pick(free) : dice.pick(roots);
    this.#changed.add(root);
    const name = this.name(root);
    if (root === 'l' && dice.once(2)) return `${name}[${dice.below(5)}]`;
    return root === 'm' && dice.once(2) ? `${name}.${dice.pick(['x', 'w', 'constructor'])}` : name;
  }

  #setting(): string {
    const dice = this.#dice;
    const number = () => this.value(dice.once(15) ? usualValue(dice, 's') : { N: numberOf(dice) });
    const list = () => this.value(valueOfType(dice, dice.once(15) ? 'SS' : 'L'));
    const root = dice.pick(['n', 'a-b.c', 'l', 's']);
    return dice.pick([
      () => `${this.#target()} = ${this.value(usualValue(dice, this.root()))}`,
      () => `${this.#target()} = ${this.path()}`,
      () => `${this.#target(['n', 'a-b.c'])} = n ${dice.pick(['+', '-'])} ${number()}`,
      () => `${this.#target()} = ${this.path()} ${dice.pick(['+', '-'])} ${this.ordered('N')}`,
      () => `${this.#target(['n', 'm'])} = if_not_exists(n, ${number()}) + ${number()}`,
      () => `${this.#target([root])} = if_not_exists(${this.path()}, ${this.operand()})`,
      () =>
        `${this.#target(['l'])} = list_append(${dice.pick(['l', 'm.x', 'if_not_exists(l, :empty)'])}, ${list()})`,
      () => `${this.#target(['l'])} = list_append(${list()}, l)`,
    ])();
  }

  #adding(): string {
    const dice = this.#dice;
    const root = dice.once(12) ? this.root() : dice.pick(['n', 'ns', 'ss', 'bs', 'n', 'm']);
    return `${this.#target([root])} ${this.value(dice.once(8) ? usualValue(dice, root) : valueOfType(dice, root === 'm' ? 'N' : (attributes[root] ?? 'N')))}`;
  }

  #deleting(): string {
    const dice = this.#dice;
    const root = dice.once(15) ? this.root() : dice.pick(['ns', 'ss', 'bs']);
    return `${this.#target([root])} ${this.value(dice.once(15) ? usualValue(dice, root) : valueOfType(dice, attributes[root] ?? 'SS'))}`;
  }

  projection(): string {
    this.#changed.clear();
    return Array.from({ length: 1 + this.#dice.below(3) }, () => this.#target()).join(', ');
  }

  /** Names and values of the call. Now and then one too many, or one too few. */
  given(...expressions: readonly (string | undefined)[]): object {
    const dice = this.#dice;
    const names = { ...this.names };
    const values = { ...this.values };
    if (expressions.some((text) => text?.includes(':empty'))) values[':empty'] = { L: [] };
    if (dice.once(60)) values[':unused'] = { S: 'x' };
    if (dice.once(80)) names['#unused'] = 'x';
    if (dice.once(80)) delete values[':v0'];
    return {
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}

/** An expression that lost a word, now and then. */
export function maimed(dice: Dice, expression: string): string {
  if (!dice.once(60)) return expression;
  const words = expression.split(' ');
  const at = dice.below(words.length);
  return words.filter((_, i) => i !== at).join(' ');
}
