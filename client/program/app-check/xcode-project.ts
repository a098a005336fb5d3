import { placeIn, type SourceFile } from './project-files.ts';
import type { Property } from './trees.ts';

/* project.pbxproj, an OpenStep property list. No parser in the registry tells the lines of values. */

const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|[{}()=;,]|<[\da-fA-F\s]*>|[^\s{}()=;,"]+/y;

const mostDepth = 100;

/** Reads a property list. Throws an error with its line. */
export const openStepOf = (source: SourceFile): Property => {
  const { text } = source;
  token.lastIndex = 0;
  let start = 0;
  let current = '';
  const fail = (wanted: string): never => {
    throw Object.assign(new Error(`${wanted} is missing`), placeIn(source, start));
  };
  const next = (): void => {
    do {
      start = token.lastIndex;
      current = start < text.length ? (token.exec(text)?.[0] ?? fail('a closing quote')) : '';
    } while (/^(\s|\/\/|\/\*)/.test(current));
  };
  const is = (wanted: string): boolean => current === wanted;
  const take = (wanted: string): void => (is(wanted) ? next() : fail(wanted));
  const word = (): string => {
    const taken = current;
    if (/^[{}()=;,]?$/.test(taken)) fail('a value');
    next();
    return taken.startsWith('"') ? taken.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : taken;
  };
  const value = (depth: number): Property => {
    const offset = start;
    const items: Property[] = [];
    const entries = new Map<string, Property>();
    let own = '';
    if (depth > mostDepth) fail('an end of nesting');
    if (is('{')) {
      next();
      while (!is('}')) {
        const key = word();
        take('=');
        entries.set(key, value(depth + 1));
        take(';');
      }
      next();
    } else if (is('(')) {
      next();
      while (!is(')')) {
        items.push(value(depth + 1));
        if (!is(')')) take(',');
      }
      next();
    } else own = word();
    return {
      text: own,
      items,
      entries,
      get place() {
        return placeIn(source, offset);
      },
    };
  };
  next();
  return value(0);
};

/** A build configuration of an app's target. */
export type Configuration = ReturnType<typeof appConfigurations>[number];

/** The configurations of a project's iOS apps: not of extensions, watches and Macs. */
export const appConfigurations = (root: Property) => {
  const objects = root.entries.get('objects')?.entries ?? new Map<string, Property>();
  const settingsOf = (owner: Property | undefined) => {
    const list = objects.get(owner?.entries.get('buildConfigurationList')?.text ?? '');
    return (list?.entries.get('buildConfigurations')?.items ?? []).map(({ text }) => {
      const { entries } = objects.get(text) ?? {};
      return { name: entries?.get('name')?.text ?? '', all: entries?.get('buildSettings')?.entries };
    });
  };
  const ofProject = settingsOf([...objects.values()].find((one) => isa(one) === 'PBXProject'));
  return [...objects.values()]
    .filter((one) => isa(one) === 'PBXNativeTarget')
    .filter(({ entries }) => entries.get('productType')?.text === 'com.apple.product-type.application')
    .flatMap((target) => settingsOf(target))
    .map(({ name, all }) => {
      const shared = ofProject.find((one) => one.name === name)?.all;
      /** A setting of the target, else of the project; undefined if neither has it. */
      const setting = (key: string) => all?.get(key) ?? shared?.get(key);
      return { isDebug: /debug/i.test(name), setting };
    })
    .filter(({ setting }) => !/macosx|watchos|appletvos/.test(setting('SDKROOT')?.text ?? ''));
};

const isa = ({ entries }: Property): string | undefined => entries.get('isa')?.text;
