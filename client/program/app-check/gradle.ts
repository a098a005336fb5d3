import { placeIn, type SourceFile } from './project-files.ts';

/** A literal, or undefined for a value that only Gradle can compute. */
interface Setting {
  readonly block: readonly string[];
  readonly name: string;
  readonly value: string | undefined;
  readonly offset: number;
}

/** Comments, strings, braces, ends of statements, and words, in Groovy and in Kotlin. */
const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[{}\n;]|[\w.]+|[^\s\w]/g;
const known = ['applicationId', 'applicationIdSuffix', 'namespace', 'dimension'];

/** Settings by their blocks, such as `productFlavors`, `free`. */
const settingsOf = (text: string): Setting[] => {
  const settings: Setting[] = [];
  const blocks: string[] = [];
  let words: { readonly text: string; readonly offset: number }[] = [];
  const end = () => {
    const [first, ...rest] = words;
    const values = rest.filter(({ text: one }) => one !== '=' && one !== '(' && one !== ')');
    if (first && known.includes(first.text)) {
      const [value] = values;
      const literal = values.length === 1 && /^["'][^$\\]*["']$/.test(value?.text ?? '');
      settings.push({
        block: [...blocks],
        name: first.text,
        value: literal ? value?.text.slice(1, -1) : undefined,
        offset: first.offset,
      });
    }
    words = [];
  };
  for (const { 0: one, index } of text.matchAll(token)) {
    if (/^\/[/*]/.test(one)) continue;
    if (one === '{') {
      // `create("free") {`, `getByName('free') {` and `free {` are the same block.
      const named = words.find(({ text: word }) => /^["']/.test(word))?.text.slice(1, -1);
      blocks.push(named ?? words[0]?.text ?? '');
      // A flavour without settings is one, too.
      settings.push({ block: [...blocks], name: '{', value: '', offset: index });
      words = [];
    } else if (one === '}') {
      end();
      blocks.pop();
    } else if (one === '\n' || one === ';') end();
    else words.push({ text: one, offset: index });
  }
  end();
  return settings;
};

/** Words of a build file or of a version catalog's alias. */
const appPlugin = /com\.android\.application|\bandroid[.\w]*\.application\b|\bandroidApplication\b/;

export type GradleModule = ReturnType<typeof gradleModule>;

/** The application ids of a Gradle module, as its build file states them. */
export const gradleModule = (source: SourceFile) => {
  const settings = settingsOf(source.text);
  const within = (block: string) => settings.filter(({ block: all }) => all.includes(block));
  const own = settings.filter(
    ({ block }) => !block.includes('productFlavors') && !block.includes('buildTypes'),
  );
  const base =
    own.find(({ name }) => name === 'applicationId') ?? own.find(({ name }) => name === 'namespace');
  const flavors = grouped(within('productFlavors'), ({ block }) => childOf(block, 'productFlavors'));
  flavors.delete('');
  const release = within('buildTypes').filter(({ block }) => childOf(block, 'buildTypes') !== 'debug');
  const used = [...flavors.values(), release].flat().filter(({ name }) => name !== 'dimension');
  const isReadable = base?.value !== undefined && used.every(({ value }) => value !== undefined);
  return {
    isApp: appPlugin.test(source.text),
    /** Ids of the variants for release; undefined if a value can't be read. */
    ids: isReadable ? variantsOf(base.value, flavors, release) : undefined,
    place: placeIn(source, base?.offset ?? 0),
  };
};

const childOf = (block: readonly string[], parent: string): string => block[block.indexOf(parent) + 1] ?? '';

const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

/** Each flavour of each dimension, and each type of build, can replace the id or append to it. */
const variantsOf = (
  base: string,
  flavors: ReadonlyMap<string, readonly Setting[]>,
  release: readonly Setting[],
): string[] => {
  const settingOf = (settings: readonly Setting[], wanted: string) =>
    settings.find(({ name }) => name === wanted)?.value;
  const dimensions = grouped([...flavors.values()], (settings) => settingOf(settings, 'dimension') ?? '');
  let ids = [base];
  for (const [, options] of dimensions)
    ids = ids.flatMap((id) =>
      options.map(
        (one) => (settingOf(one, 'applicationId') ?? id) + (settingOf(one, 'applicationIdSuffix') ?? ''),
      ),
    );
  const suffixes = release
    .filter(({ name }) => name === 'applicationIdSuffix')
    .map(({ value = '' }) => value);
  return [
    ...new Set(suffixes.length > 0 ? ids.flatMap((id) => [id, ...suffixes.map((one) => id + one)]) : ids),
  ];
};
