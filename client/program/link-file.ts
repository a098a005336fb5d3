import { readFile } from 'node:fs/promises';
import { isScalar, type Node, parseDocument, visit } from 'yaml';
import { faultsOf } from './entry-schema.ts';
import { type Entry, type LinkState, stateOf } from './link-state.ts';

/** A link as a file wants it. */
export interface Wanted {
  readonly code: string;
  readonly owner: string;
  readonly status: 'ACTIVE' | 'PAUSED';
  readonly state: LinkState;
}

/** What the files say together. */
export interface WantedLinks {
  readonly owners: readonly string[];
  /** By code. */
  readonly links: ReadonlyMap<string, Wanted>;
}

/** The user's mistake, told in one line or several. */
export class InputError extends Error {}

interface LinkFile {
  readonly owner: string;
  readonly defaults?: Pick<Entry, 'tags' | 'payload'>;
  readonly links?: Readonly<Record<string, Entry>>;
}

export const ownerTag = (owner: string): string => `managed:${owner}`;

/** Reads all files and throws what is wrong with any of them. */
export const readLinkFiles = async (files: readonly string[]): Promise<WantedLinks> => {
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await textOf(file) })));
  return wantedLinks(texts);
};

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file}: can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

export const wantedLinks = (
  texts: readonly { readonly file: string; readonly text: string }[],
): WantedLinks => {
  const faults: string[] = [];
  const owners = new Set<string>();
  const links = new Map<string, Wanted>();
  const places = new Map<string, string>();
  for (const { file, text } of texts) {
    const read = parse(file, text);
    if ('faults' in read) {
      faults.push(...read.faults);
      continue;
    }
    const { owner, defaults, links: entries = {} } = read.content;
    owners.add(owner);
    for (const [code, entry] of Object.entries(entries)) {
      const merged = withDefaults(entry, defaults, owner);
      faults.push(...faultsOf.link(merged).map((fault) => `${file}: links.${code}${fault}`));
      if (!/^[A-Za-z0-9_-]{3,50}$/.test(code))
        faults.push(`${file}: links.${code}: a code is 3 to 50 letters, digits, hyphens or underscores`);
      const place = places.get(code);
      if (place !== undefined) faults.push(`${file}: links.${code}: ${place} has this code, too`);
      places.set(code, file);
      links.set(code, { code, owner, status: merged.status ?? 'ACTIVE', state: stateOf(merged) });
    }
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return { owners: [...owners], links };
};

type Read = { readonly content: LinkFile } | { readonly faults: readonly string[] };

const parse = (file: string, text: string): Read => {
  // JSON is YAML, too; only so its keys that come twice are seen.
  const document = parseDocument(text, { version: '1.2', uniqueKeys: areSame, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) return { faults: [`${file}: ${error.message.trimEnd().replaceAll('\n', `\n${file}: `)}`] };
  // Codes are texts as they are written: 007 is no number.
  let hasOtherKeys = false;
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key)) key.value = textOfKey(key);
      else hasOtherKeys = true;
    },
  });
  if (hasOtherKeys) return { faults: [`${file}: every key must be a text`] };
  let content: LinkFile;
  try {
    content = withoutNulls(document.toJS()) as LinkFile;
  } catch (error) {
    // Aliases of nothing, of themselves, or of too much.
    return { faults: [`${file}: ${(error as Error).message}`] };
  }
  const faults = faultsOf.file(content).map((fault) => `${file}: ${fault.replace(/^[.:] ?/, '')}`);
  return faults.length > 0 ? { faults } : { content };
};

const areSame = (one: Node, other: Node): boolean => {
  const text = textOfKey(one);
  return text !== undefined && text === textOfKey(other);
};

const textOfKey = (key: Node): string | undefined => {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
};

/** Null stands for what is left out, but inside rules, where the service refuses it. */
const withoutNulls = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)]));
};

/** The entry wins, within each section of the payload; tags are united, with the owner's. */
const withDefaults = (entry: Entry, defaults: LinkFile['defaults'], owner: string): Entry => {
  const sections = { ...defaults?.payload } as Record<string, unknown>;
  for (const [name, value] of Object.entries(entry.payload ?? {})) {
    const section = sections[name];
    sections[name] = isSection(value) && isSection(section) ? { ...section, ...value } : value;
  }
  return {
    ...entry,
    tags: [...(defaults?.tags ?? []), ...(entry.tags ?? []), ownerTag(owner)],
    payload: sections,
  };
};

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
