import type { AndroidApp, Filter } from './android-project.ts';
import { type Finding, found, type Place } from './findings.ts';
import type { IosApp } from './ios-project.ts';
import { folderOf, parsed, type SourceFile } from './project-files.ts';
import { type Json, jsonOf, listOf, member, stringsOf } from './trees.ts';

const plugin = 'dynamic-link-client/expo';

/** Whether there is a native project, which Expo then doesn't write again. */
export const hasNative = (folder: string, name: string, files: readonly SourceFile[]): boolean =>
  files.some(({ file }) => file.startsWith(`${folder}${name}/`));

/** Expo's apps. A configuration that is a program is a finding, unless its output is given. */
export const expoApps = (files: readonly SourceFile[], given: SourceFile | undefined, faults: Finding[]) => {
  if (given) return [parsed(given, faults, () => appOf(jsonOf(given), ''))].flatMap((one) => one ?? []);
  const dynamic = files.filter(
    ({ file }) => /(^|\/)app\.config\.[cm]?[jt]s$/.test(file) && isExpo(folderOf(file), files),
  );
  for (const { file } of dynamic)
    faults.push(found('expo-dynamic-config', { file, line: null }, 'The check runs no configuration.'));
  const programs = dynamic.map(({ file }) => folderOf(file));
  return files
    .filter(({ file }) => /(^|\/)app(\.config)?\.json$/.test(file) && !programs.includes(folderOf(file)))
    .flatMap((source) => {
      const json = parsed(source, faults, () => jsonOf(source));
      const folder = folderOf(source.file);
      const isOwn = dependsOnExpo(folder, files) ?? source.file.endsWith('config.json');
      const hasKeys = ['expo', 'slug'].some((one) => member(json?.value, one) !== undefined);
      return json && (isOwn || hasKeys) ? [appOf(json, folder)] : [];
    });
};

/** Whether the package in a folder depends on Expo; undefined without one. */
const dependsOnExpo = (folder: string, files: readonly SourceFile[]): boolean | undefined => {
  const manifest = files.find(({ file }) => file === `${folder}package.json`);
  const json = manifest && parsed(manifest, [], () => jsonOf(manifest));
  return (
    json && ['dependencies', 'devDependencies'].some((one) => member(json.value, one, 'expo') !== undefined)
  );
};

/** Whether Expo reads the program: in other frameworks, it lies deeper, or beside a package without Expo. */
const isExpo = (folder: string, files: readonly SourceFile[]): boolean =>
  (dependsOnExpo(folder, files) ?? folder === '') &&
  !(hasNative(folder, 'android', files) && hasNative(folder, 'ios', files));

/** An app by Expo's configuration: what `npx expo prebuild` would write. Native projects would be in the folder. */
const appOf = (json: Json, folder: string) => {
  const root = member(json.value, 'expo') === undefined ? [] : ['expo'];
  const at = (...path: string[]) => member(json.value, ...root, ...path);
  const place = (...path: (string | number)[]) => json.placeOf(...root, ...path);
  const plugins = listOf(at('plugins')).flatMap((one, index) => {
    const [name, settings] = listOf(one);
    return name === plugin ? [{ settings, place: place('plugins', index) }] : [];
  });
  const hosts = plugins.flatMap(({ settings, place: own }) =>
    stringsOf(member(settings, 'hosts')).map((text) => hostOf(text, member(settings, 'pathPrefix'), own)),
  );
  const domains = [
    ['ios', 'associatedDomains'],
    ['ios', 'entitlements', 'com.apple.developer.associated-domains'],
  ].flatMap((path) =>
    stringsOf(at(...path)).map((value, index) => ({ value, place: place(...path, index) })),
  );
  const filters = listOf(at('android', 'intentFilters')).map((one, index) =>
    filterOf(one, place('android', 'intentFilters', index)),
  );
  const known = (...path: string[]) => {
    const value = at(...path);
    return { value: typeof value === 'string' ? value : undefined, place: place(...path) };
  };
  const id = known('android', 'package');
  const isBare =
    plugins.length === 0 &&
    domains.every(({ value }) => !/applinks|http/.test(value)) &&
    filters.every(({ data }) => data.every(({ host }) => host === undefined));
  const android: AndroidApp = {
    filters: [...filters, ...hosts.map((one) => one.filter)],
    missing: isBare ? 'expo-no-plugin' : 'android-no-filter',
    place: isBare ? place('plugins') : place('android', 'intentFilters'),
    needsMain: false,
    ids: id.value === undefined ? undefined : [id.value],
    idPlace: id.place,
  };
  const ios: IosApp = {
    domains: [...domains, ...hosts.map((one) => one.domain)],
    unused: [],
    isReadable: true,
    missing: isBare ? 'expo-no-plugin' : 'ios-no-entitlement',
    place: isBare ? place('plugins') : place('ios', 'associatedDomains'),
    bundle: known('ios', 'bundleIdentifier'),
    team: known('ios', 'appleTeamId'),
  };
  const platforms = at('platforms') === undefined ? ['android', 'ios'] : stringsOf(at('platforms'));
  return { folder, android, ios, platforms };
};

/** What the plugin makes of a host or `host/folder`. */
const hostOf = (text: string, prefix: unknown, place: Place) => {
  const [host = '', folder] = text
    .toLowerCase()
    .replace(/^https?:\/\/(.*?)\/?$/, '$1')
    .split('/');
  const pathPrefix = folder ? `/${folder}/` : typeof prefix === 'string' ? prefix : '/';
  const filter = {
    ...{ action: 'VIEW', autoVerify: true, category: ['DEFAULT', 'BROWSABLE'] },
    data: { scheme: 'https', host, ...(pathPrefix === '/' ? {} : { pathPrefix }) },
  };
  return { domain: { value: `applinks:${host}`, place }, filter: filterOf(filter, place) };
};

const named = (kind: string, names: unknown) =>
  stringsOf(names).map((name) => `android.intent.${kind}.${name}`);

const filterOf = (value: unknown, place: Place): Filter => ({
  ...{ place, activity: place, isExported: true, isMain: true },
  isVerified: member(value, 'autoVerify') === true,
  actions: named('action', member(value, 'action')),
  categories: named('category', member(value, 'category')),
  data: listOf(member(value, 'data')).map((one) => ({ ...(one as object), place })),
});
