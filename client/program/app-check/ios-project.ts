import path from 'node:path';
import type { Finding, FindingName, Place } from './findings.ts';
import { parsed, type SourceFile } from './project-files.ts';
import { type Property, plistOf } from './trees.ts';
import { appConfigurations, type Configuration, openStepOf } from './xcode-project.ts';

/** A value of `com.apple.developer.associated-domains`. */
export interface Domain {
  readonly value: string;
  readonly place: Place;
}

/** A value with its place; undefined values can't be read. */
interface Known {
  readonly value: string | undefined;
  readonly place: Place;
}

/** An app's target in one configuration, or Expo's app. */
export interface IosApp {
  readonly domains: readonly Domain[];
  /** Domains of files that no target uses. */
  readonly unused: readonly Domain[];
  /** Whether the entitlements are known. */
  readonly isReadable: boolean;
  /** The finding if nothing declares a host, and where that belongs. */
  readonly missing: FindingName;
  readonly place: Place;
  readonly bundle: Known;
  readonly team: Known;
}

/** Property lists by their files; undefined if they can't be parsed. */
type Lists = ReadonlyMap<string, Property | undefined>;

const key = 'com.apple.developer.associated-domains';
const missing = 'ios-no-entitlement';
const nowhere: Place = { file: '', line: null };
const unknown = { value: undefined, place: nowhere };

/** A build setting's text, unless it has a variable. */
const literal = (property: Property | undefined): string | undefined =>
  property && property.text !== '' && !/\$[({]/.test(property.text) ? property.text : undefined;

const domainsOf = (entitlements: Property | undefined): Domain[] =>
  (entitlements?.entries.get(key)?.items ?? []).map(({ text, place }) => ({ value: text, place }));

/** The iOS apps of a project: each target in each configuration for release. */
export const iosApps = (files: readonly SourceFile[], faults: Finding[]): IosApp[] => {
  const plists = files.filter(({ file }) => /\.entitlements$|(^|\/)Info\.plist$/.test(file));
  const lists: Lists = new Map(plists.map((one) => [one.file, parsed(one, faults, () => plistOf(one))]));
  const sources = files.filter(({ file }) => file.endsWith('.xcodeproj/project.pbxproj'));
  const projects = sources.flatMap((source) => {
    const root = parsed(source, faults, () => openStepOf(source));
    const folder = path.posix.dirname(path.posix.dirname(source.file));
    return root ? [{ source, folder, all: appConfigurations(root) }] : [];
  });
  const xcconfigs = files.filter(({ file }) => file.endsWith('.xcconfig'));
  const apps = projects.flatMap(({ source, folder, all }) => {
    const used = all.flatMap((one) => pathOf(folder, one.setting('CODE_SIGN_ENTITLEMENTS')) ?? []);
    const within = [...lists].filter(([file]) => folder === '.' || file.startsWith(`${folder}/`));
    const unused = within.filter(([file]) => !used.includes(file)).flatMap(([, list]) => domainsOf(list));
    const released = all.some(({ isDebug }) => !isDebug) ? all.filter(({ isDebug }) => !isDebug) : all;
    return released.map((one) => appOf(one, { file: source.file, folder, lists, unused, xcconfigs }));
  });
  if (sources.length > 0) return apps;
  // The project file is generated, as by XcodeGen.
  return [...lists]
    .filter(([file]) => file.endsWith('.entitlements'))
    .map(([, list]) => ({
      ...{ domains: domainsOf(list), unused: [], isReadable: list !== undefined, missing },
      ...{ place: list?.place ?? nowhere, bundle: unknown, team: unknown },
    }));
};

const pathOf = (folder: string, setting: Property | undefined): string | undefined => {
  const text = setting?.text.replace(/^\$[({](SRCROOT|PROJECT_DIR)[)}]\//, '');
  return text && !/\$[({]/.test(text) ? path.posix.join(folder, text) : undefined;
};

interface Surroundings {
  readonly file: string;
  readonly folder: string;
  readonly lists: Lists;
  readonly unused: readonly Domain[];
  readonly xcconfigs: readonly SourceFile[];
}

const appOf = ({ setting }: Configuration, around: Surroundings): IosApp => {
  const { file, folder, lists, unused, xcconfigs } = around;
  const given = setting('CODE_SIGN_ENTITLEMENTS');
  const entitlements = pathOf(folder, given);
  const list = lists.get(entitlements ?? '');
  const place = list?.place ?? given?.place ?? { file, line: null };
  // A setting outside of the project file isn't followed.
  const isElsewhere =
    given === undefined && xcconfigs.some(({ text }) => text.includes('CODE_SIGN_ENTITLEMENTS'));
  const isVariable = given !== undefined && entitlements === undefined;
  const isBroken = lists.has(entitlements ?? '') && list === undefined;
  const info = lists.get(pathOf(folder, setting('INFOPLIST_FILE')) ?? '')?.entries.get('CFBundleIdentifier');
  const bundle = literal(info) === undefined ? setting('PRODUCT_BUNDLE_IDENTIFIER') : info;
  const team = setting('DEVELOPMENT_TEAM');
  return {
    domains: domainsOf(list),
    unused,
    isReadable: !(isElsewhere || isVariable || isBroken),
    missing,
    place,
    bundle: { value: literal(bundle), place: bundle?.place ?? nowhere },
    team: { value: literal(team), place: team?.place ?? nowhere },
  };
};
