import { parseDocument } from 'yaml';
import type { Finding, FindingName, Place } from './findings.ts';
import { type GradleModule, gradleModule } from './gradle.ts';
import { folderOf, parsed, type SourceFile } from './project-files.ts';
import { childrenNamed, type Element, jsonOf, member, xmlOf } from './trees.ts';

/** What a `data` element limits; a value with a variable is `unknown`. */
export interface FilterData extends Readonly<Record<string, string | Place | undefined>> {
  readonly place: Place;
}

export interface Filter {
  readonly place: Place;
  readonly activity: Place;
  readonly isExported: boolean;
  /** Whether it belongs to the activity whose links a framework reads. */
  readonly isMain: boolean;
  readonly isVerified: boolean;
  readonly actions: readonly string[];
  readonly categories: readonly string[];
  readonly data: readonly FilterData[];
}

export interface AndroidApp {
  readonly filters: readonly Filter[];
  /** The finding if nothing declares a host, and where that belongs. */
  readonly missing: FindingName;
  readonly place: Place;
  /** Whether a framework passes on links to its own activity only. */
  readonly needsMain: boolean;
  /** The ids of the app; undefined if they can't be read. */
  readonly ids: readonly string[] | undefined;
  readonly idPlace: Place;
}

/** A variable of Gradle, or a reference to a resource. */
export const isVariable = (value: string | undefined): boolean => /\$\{|^@/.test(value ?? '');

/** Source sets that no release contains. */
const isForTests = (file: string): boolean => /(^|\/)src\/(debug|profile|test|androidTest)\//.test(file);

interface Manifest {
  readonly module: string;
  readonly root: Element;
  readonly application: Element;
}

/** The Android apps of a project; libraries have no launcher and no plugin of an app. */
export const androidApps = (files: readonly SourceFile[], faults: Finding[]): AndroidApp[] => {
  const gradle = new Map<string, GradleModule>();
  for (const source of files)
    if (/build\.gradle(\.kts)?$/.test(source.file)) gradle.set(folderOf(source.file), gradleModule(source));
  const manifests = files
    .filter(({ file }) => file.endsWith('AndroidManifest.xml') && !isForTests(file))
    .flatMap((source): Manifest[] => {
      const root = parsed(source, faults, () => xmlOf(source));
      const [application] = root ? childrenNamed(root, 'application') : [];
      const module = source.file.replace(/src\/[^/]+\/AndroidManifest\.xml$|AndroidManifest\.xml$/, '');
      return root && application ? [{ module, root, application }] : [];
    });
  const isApp = ({ module, application }: Manifest) =>
    gradle.get(module)?.isApp || application.children.some(isLauncher);
  const modules = new Set(manifests.filter(isApp).map(({ module }) => module));
  const frameworks = frameworkFolders(files, faults);
  return [...modules].map((module) => {
    const own = manifests.filter((one) => one.module === module);
    const needsMain = frameworks.some((folder) => module.startsWith(folder));
    return appOf(own, gradle.get(module), needsMain);
  });
};

const appOf = (
  own: readonly Manifest[],
  module: GradleModule | undefined,
  needsMain: boolean,
): AndroidApp => {
  const [main] = own;
  const activities = own.flatMap(({ application }) =>
    childrenNamed(application, 'activity', 'activity-alias'),
  );
  const launcher = activities.find(isLauncher);
  const place = launcher?.place ?? main?.application.place ?? { file: '', line: null };
  const manifestId = main?.root.attributes.package;
  const ids = module ? module.ids : manifestId && !isVariable(manifestId) ? [manifestId] : undefined;
  const idPlace = module?.place ?? main?.root.place ?? place;
  return {
    filters: activities.flatMap((one) => filtersOf(one, activities)),
    missing: 'android-no-filter',
    place,
    needsMain,
    ids,
    idPlace,
  };
};

const isLauncher = (activity: Element): boolean =>
  childrenNamed(activity, 'intent-filter').some((filter) =>
    filter.children.some((one) => one.attributes['android:name'] === 'android.intent.category.LAUNCHER'),
  );

const filtersOf = (activity: Element, all: readonly Element[]): Filter[] => {
  const { 'android:name': name = '', 'android:targetActivity': target } = activity.attributes;
  // Manifests of flavours are merged with the main one.
  const merged = all.filter((one) => one.attributes['android:name'] === name);
  const exported = merged.map((one) => one.attributes['android:exported']).find((one) => one !== undefined);
  return childrenNamed(activity, 'intent-filter').map((filter) => {
    const names = (kind: string) =>
      childrenNamed(filter, kind).map((one) => one.attributes['android:name'] ?? '');
    return {
      place: filter.place,
      activity: activity.place,
      isExported: exported === 'true' || isVariable(exported),
      isMain: merged.some(isLauncher) || /(^|\.)MainActivity$/.test(target ?? name),
      isVerified:
        filter.attributes['android:autoVerify'] === 'true' ||
        isVariable(filter.attributes['android:autoVerify']),
      actions: names('action'),
      categories: names('category'),
      data: childrenNamed(filter, 'data').map(({ attributes, place }) => ({
        ...Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key.replace('android:', ''), value]),
        ),
        place,
      })),
    };
  });
};

/** Folders of projects whose framework reads links from its own activity. */
const frameworkFolders = (files: readonly SourceFile[], faults: Finding[]): string[] =>
  files.flatMap((source) => {
    const { file, text } = source;
    const isOne = () => {
      if (/capacitor\.config\.\w+$/.test(file))
        return !file.endsWith('.json') || jsonOf(source).value !== null;
      if (file.endsWith('pubspec.yaml')) return hasFlutter(text);
      if (!file.endsWith('package.json')) return false;
      return member(jsonOf(source).value, 'dependencies', 'react-native') !== undefined;
    };
    return parsed(source, faults, isOne) ? [folderOf(file)] : [];
  });

const hasFlutter = (text: string): boolean => {
  const document = parseDocument(text, { prettyErrors: true, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw Object.assign(new Error(error.message), { line: error.linePos?.[0].line });
  return document.hasIn(['dependencies', 'flutter']);
};
