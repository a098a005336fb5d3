import { isRecord, isScalar } from '../base/json-values.ts';

/**
 * Resolved properties of a resource. A missing property, or one of another type, throws an Error with its path.
 */
export interface Properties {
  readonly where: string;
  has(name: string): boolean;
  text(name: string): string;
  text<T>(name: string, fallback: T): string | T;
  number(name: string, fallback: number): number;
  flag(name: string): boolean;
  texts(name: string): readonly string[];
  textMap(name: string): Readonly<Record<string, string>>;
  /** Nested properties; empty if there are none. */
  in(name: string): Properties;
  each(name: string): readonly Properties[];
  readonly all: Readonly<Record<string, unknown>>;
}

export function propertiesOf(value: unknown, where: string): Properties {
  const all = isRecord(value) ? value : {};
  const wrong = (name: string, wanted: string) =>
    new Error(`${where}: ${name} should be ${wanted}, found ${JSON.stringify(all[name]) ?? 'nothing'}`);
  const list = (name: string): readonly unknown[] => {
    const found = all[name] ?? [];
    if (!Array.isArray(found)) throw wrong(name, 'a list');
    return found;
  };

  function text(name: string): string;
  function text<T>(name: string, fallback: T): string | T;
  function text(...[name, ...fallback]: [string, ...unknown[]]): unknown {
    const found = all[name];
    if (found === undefined && fallback.length > 0) return fallback[0];
    if (!isScalar(found)) throw wrong(name, 'a text');
    return String(found);
  }

  return {
    where,
    all,
    text,
    has: (name) => all[name] !== undefined,
    number: (name, fallback) => {
      const found = Number(all[name] ?? fallback);
      if (Number.isNaN(found)) throw wrong(name, 'a number');
      return found;
    },
    flag: (name) => all[name] === true || all[name] === 'true',
    texts: (name) =>
      list(name).map((member) => {
        if (!isScalar(member)) throw wrong(name, 'a list of texts');
        return String(member);
      }),
    textMap: (name) => {
      const found = all[name] ?? {};
      if (!isRecord(found) || !Object.values(found).every(isScalar)) throw wrong(name, 'a map of texts');
      return Object.fromEntries(Object.entries(found).map(([key, member]) => [key, String(member)]));
    },
    in: (name) => propertiesOf(all[name], `${where}: ${name}`),
    each: (name) => list(name).map((member) => propertiesOf(member, `${where}: ${name}`)),
  };
}
