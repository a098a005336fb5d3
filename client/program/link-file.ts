import { readFile } from 'node:fs/promises';
import { CST, type Document, isScalar, Lexer, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { codePattern, fileFaults } from './entry-schema.ts';
import { type Entry, type LinkState, linkStateOf } from './link-state.ts';
import { visible } from './visible.ts';

/** A link as a file wants it. */
export interface Wanted {
  readonly code: string;
  readonly owner: string;
  readonly status: 'ACTIVE' | 'PAUSED';
  readonly state: LinkState;
}

/** The content of all files. */
export interface WantedLinks {
  readonly owners: readonly string[];
  /** By code. */
  readonly links: ReadonlyMap<string, Wanted>;
}

/** The user's mistake; its message has one line or several. */
export class InputError extends Error {}

interface LinkFile {
  readonly owner: string;
  readonly defaults?: Pick<Entry, 'tags' | 'payload'> | null;
  readonly links?: Readonly<Record<string, Entry | null>> | null;
}

export const ownerTag = (owner: string): string => `managed:${owner}`;

/** Reads all files. Throws an InputError with the faults of all. */
export const readLinkFiles = async (files: readonly string[]): Promise<WantedLinks> => {
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await read(file) })));
  return wantedLinks(texts);
};

const read = async (file: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof TypeError ? "isn't in UTF-8" : `can't be read (${code})`;
    throw new InputError(visible(`${file}: ${why}`));
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
    const parsed = parse(text);
    if ('faults' in parsed) {
      faults.push(...parsed.faults.map((fault) => `${file}: ${fault}`));
      continue;
    }
    const { owner, defaults, links: entries } = parsed.content;
    owners.add(owner);
    for (const [code, entry] of Object.entries(entries ?? {})) {
      if (entry === null) continue;
      const merged = withDefaults(entry, defaults, owner);
      if (!codePattern.test(code))
        faults.push(`${file}: links.${code}: a code is 3 to 50 letters, digits, hyphens or underscores`);
      const place = places.get(code);
      if (place !== undefined) faults.push(`${file}: links.${code}: ${place} has this code, too`);
      places.set(code, file);
      links.set(code, { code, owner, status: merged.status ?? 'ACTIVE', state: linkStateOf(merged) });
    }
  }
  // Files may be untrusted, and their texts must not control a terminal or a workflow's log.
  if (faults.length > 0) throw new InputError(faults.map(visible).join('\n'));
  return { owners: [...owners], links };
};

type Parsed = { readonly content: LinkFile } | { readonly faults: readonly string[] };

/** The most collections that may begin inside each other. */
const mostDepth = 100;

const indicators = ['seq-item-ind', 'explicit-key-ind', 'map-value-ind', 'tag', 'anchor'];

/** Whether a parser would take minutes, or overflow its stack: brackets and indicators in a line nest in a few bytes. */
const isDeep = (text: string): boolean => {
  let brackets = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token) ?? '';
    if (/^flow-\w+-start$/.test(type)) brackets += 1;
    if (/^flow-\w+-end$/.test(type)) brackets -= 1;
    if (indicators.includes(type)) inLine += 1;
    else if (type === 'newline' || (brackets > 0 && type !== 'space')) inLine = 0;
    if (Math.max(brackets, inLine) > mostDepth) return true;
  }
  return false;
};

const parse = (text: string): Parsed => {
  if (isDeep(text)) return { faults: [`is nested more than ${mostDepth} levels deep`] };
  const lines = new LineCounter();
  // JSON is also YAML, and a YAML parser sees repeated keys.
  const document = parseDocument(text, {
    version: '1.2',
    lineCounter: lines,
    // The parser would compare all pairs of keys.
    uniqueKeys: false,
    // Known tags make collections that JSON can't show.
    resolveKnownTags: false,
    // Otherwise a second document is silently dropped.
    logLevel: 'error',
    // It would make a text for each error, and a file may have thousands.
    prettyErrors: false,
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return { faults: [`${error.message} at line ${line}, column ${col}`] };
  }
  const wrongKeys = readKeys(document, lines);
  if (wrongKeys.length > 0) return { faults: wrongKeys };
  let content: LinkFile;
  let given: unknown;
  try {
    content = document.toJS();
    given = withoutNulls(content);
  } catch (error) {
    // Aliases that are unknown, recursive or too large.
    return { faults: [(error as Error).message] };
  }
  const faults = fileFaults(given).map((fault) => fault.replace(/^[.:] ?/, ''));
  return faults.length > 0 ? { faults } : { content };
};

/** Keeps each key as its source text, because the code 007 is no number. Returns the faults of keys. */
const readKeys = (document: Document, lines: LineCounter): string[] => {
  const faults = new Set<string>();
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) {
          faults.add('every key must be a text');
          continue;
        }
        const text = textOf(key);
        if (known.has(text))
          faults.add(`line ${lines.linePos(key.range?.[0] ?? 0).line}: the key ${text} comes twice`);
        known.add(text);
        key.value = text;
      }
    },
  });
  return [...faults];
};

const textOf = ({ value, source }: Scalar): string => (typeof value === 'string' ? value : String(source));

/** Removes nulls, which mean omitted fields or no default, except inside rules, where the service refuses null. */
const withoutNulls = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)]));
};

/** Merges defaults into an entry, which wins within each section of the payload; tags are united, with the owner's. */
const withDefaults = (entry: Entry, defaults: LinkFile['defaults'], owner: string): Entry => {
  const sections = { ...defaults?.payload } as Record<string, unknown>;
  for (const [name, value] of Object.entries(entry.payload ?? {})) {
    const section = sections[name];
    sections[name] = isSection(value) && isSection(section) ? { ...section, ...value } : value;
  }
  const tags = [...(defaults?.tags ?? []), ...(entry.tags ?? []), ownerTag(owner)];
  return withoutNulls({ ...entry, tags, payload: sections }) as Entry;
};

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
