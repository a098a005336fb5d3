import { parseXml, XmlElement, type XmlNode } from '@rgrove/parse-xml';
import {
  findNodeAtLocation,
  getNodeValue,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Place } from './findings.ts';
import { placeIn, type SourceFile } from './project-files.ts';

/* XML, property lists and JSON as trees whose nodes know their lines. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  readonly place: Place;
}

export const xmlOf = (source: SourceFile): Element => {
  const { root } = parseXml(source.text, { includeOffsets: true });
  if (!root) throw new Error('It has no element');
  return elementOf(source, root);
};

const elementOf = (source: SourceFile, node: XmlElement): Element => ({
  name: node.name,
  attributes: node.attributes,
  children: node.children
    .filter((child: XmlNode) => child instanceof XmlElement)
    .map((child) => elementOf(source, child)),
  text: node.text,
  // Computed when asked for, because it counts lines.
  get place() {
    return placeIn(source, node.start);
  },
});

export const childrenNamed = (element: Element, ...names: readonly string[]): Element[] =>
  element.children.filter(({ name }) => names.includes(name));

/** A value of a property list: a string, or a collection. */
export interface Property {
  readonly place: Place;
  readonly text: string;
  readonly items: readonly Property[];
  readonly entries: ReadonlyMap<string, Property>;
}

export const plistOf = (source: SourceFile): Property => {
  const [root] = xmlOf(source).children;
  if (root?.name !== 'dict') throw new Error('It is no property list with a dictionary');
  return propertyOf(root);
};

const propertyOf = (element: Element): Property => {
  const { name, text, children } = element;
  return {
    get place() {
      return element.place;
    },
    text: text.trim(),
    items: name === 'array' ? children.map(propertyOf) : [],
    entries: new Map(
      name !== 'dict'
        ? []
        : children.flatMap((key, index) => {
            const value = children[index + 1];
            return key.name === 'key' && value ? [[key.text, propertyOf(value)] as const] : [];
          }),
    ),
  };
};

export type Json = ReturnType<typeof jsonOf>;

/** A JSON document, in which comments and trailing commas are permitted, as Expo does. */
export const jsonOf = (source: SourceFile) => {
  const errors: ParseError[] = [];
  const root = parseTree(source.text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !root) {
    const reason = error ? printParseErrorCode(error.error) : 'It is empty';
    throw Object.assign(new Error(reason), placeIn(source, error?.offset ?? 0));
  }
  return {
    value: getNodeValue(root) as unknown,
    /** The place of a path's value; of the nearest one above it if there is none. */
    placeOf: (...path: readonly (string | number)[]): Place => {
      for (let { length } = path; length > 0; length -= 1) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        // A property's line is that of its name.
        if (node) return placeIn(source, node.parent?.type === 'property' ? node.parent.offset : node.offset);
      }
      return placeIn(source, root.offset);
    },
  };
};

/** A member of a value that may be anything. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (one, name) =>
      typeof one === 'object' && one !== null && Object.hasOwn(one, name)
        ? Reflect.get(one, name)
        : undefined,
    value,
  );

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export const stringsOf = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');
