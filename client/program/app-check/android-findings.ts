import { type AndroidApp, type Filter, type FilterData, isVariable } from './android-project.ts';
import type { Association } from './association.ts';
import { type Finding, type FindingName, fewest, found, type Place, type Wanted } from './findings.ts';

const view = 'android.intent.action.VIEW';
const categories = ['android.intent.category.DEFAULT', 'android.intent.category.BROWSABLE'];
const paths = ['path', 'pathPrefix', 'pathPattern', 'pathSuffix', 'pathAdvancedPattern'];
/** The certificate of the debug key in React Native's and Expo's templates. */
const debugKey =
  'FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C';

export const androidFindings = (
  app: AndroidApp,
  wanted: Wanted,
  association: Association,
): readonly Finding[] => [...filterFindings(app, wanted), ...associationFindings(app, wanted, association)];

/** A fault that applies or not. */
type Case = readonly [applies: boolean, name: FindingName, place: Place, finding: string];

const applying = (cases: readonly Case[]): Finding[] =>
  cases.flatMap(([applies, ...given]) => (applies ? [found(...given)] : []));

const valuesOf = ({ data }: Filter, name: string): string[] =>
  data.map((one) => one[name]).filter((one): one is string => typeof one === 'string');

/** The place of an attribute, with this value if one is given. */
const placeOf = ({ data, place }: Filter, name: string, value?: string): Place => {
  const has = (one: FilterData) => (value === undefined ? one[name] !== undefined : one[name] === value);
  return data.find(has)?.place ?? place;
};

const filterFindings = (app: AndroidApp, wanted: Wanted): readonly Finding[] => {
  const { host } = wanted;
  const own = app.filters.filter((filter) => valuesOf(filter, 'host').includes(host));
  if (own.length > 0) return fewest(own.map((filter) => faultsOf(filter, app, wanted)));
  const isOfWeb = (filter: Filter) =>
    valuesOf(filter, 'scheme').some((one) => isVariable(one) || /^https?$/i.test(one));
  const others = app.filters
    .filter(isOfWeb)
    .flatMap((filter) => valuesOf(filter, 'host').map((value) => ({ filter, value })));
  if (others.some(({ value }) => isVariable(value))) return [];
  // The nearest host is the same one in another spelling.
  const near = others.find(({ value }) => value.toLowerCase().includes(host)) ?? others[0];
  if (!near) return [found(app.missing, app.place, `No intent filter has the host ${host}.`)];
  const finding = `The intent filter has the host ${near.value}, and none has ${host}.`;
  return [found('android-host', placeOf(near.filter, 'host', near.value), finding)];
};

/** The faults of a filter that has the host. */
const faultsOf = (filter: Filter, app: AndroidApp, wanted: Wanted): Finding[] => {
  const { host } = wanted;
  const { place, activity } = filter;
  const schemes = valuesOf(filter, 'scheme');
  const other = valuesOf(filter, 'host').find((one) => one !== host && !isVariable(one));
  const foreign = schemes.find((one) => !isVariable(one) && !/^https?$/.test(one));
  const missing = categories.filter((one) => !filter.categories.includes(one));
  const isSecure = schemes.some((one) => one === 'https' || isVariable(one));
  const ofScheme = placeOf(filter, schemes.length > 0 ? 'scheme' : 'host');
  const its = `The intent filter for ${host}`;
  return applying([
    [!filter.actions.includes(view), 'android-no-filter', place, `${its} lacks the action ${view}.`],
    [!filter.isVerified, 'android-no-autoverify', place, `${its} isn't verified, so links open the browser.`],
    [missing.length > 0, 'android-no-browsable', place, `${its} lacks ${missing.join(' and ')}.`],
    [!isSecure, 'android-no-https', ofScheme, `${its} lacks the scheme https.`],
    [
      foreign !== undefined,
      'android-mixed-schemes',
      placeOf(filter, 'scheme', foreign),
      `${its} also has the scheme ${foreign}, which can't be verified.`,
    ],
    [
      other !== undefined,
      'android-mixed-hosts',
      placeOf(filter, 'host', other),
      `${its} also has ${other}. Android combines the hosts and paths of a filter, and before 12 verifies all hosts or none.`,
    ],
    ...pathCases(filter, wanted),
    [!filter.isExported, 'android-not-exported', activity, "Browsers can't start this activity."],
    [
      app.needsMain && !filter.isMain,
      'android-activity',
      activity,
      "The framework doesn't read the links of this activity.",
    ],
  ]);
};

const pathCases = (filter: Filter, { host, prefix }: Wanted): Case[] => {
  const limits = paths.flatMap((name) => valuesOf(filter, name).map((value) => ({ name, value })));
  const patterns = prefix === '/' ? ['/.*', '.*'] : [`${prefix}.*`];
  const isRight = ({ name, value }: { readonly name: string; readonly value: string }) =>
    isVariable(value) ||
    (name === 'pathPrefix' && (value === prefix || `${value}/` === prefix)) ||
    (/Pattern$/.test(name) && patterns.includes(value));
  const [first = { name: 'host', value: host }] = limits;
  const isWrong = limits.length === 0 ? prefix !== '/' : !limits.some(isRight);
  const opens = limits.length === 0 ? 'every path' : `the ${first.name} ${first.value}`;
  return [
    [
      isWrong,
      'android-path',
      placeOf(filter, first.name, first.value),
      `The intent filter opens ${opens} of ${host} instead of ${prefix}.`,
    ],
  ];
};

const associationFindings = (
  { ids, idPlace }: AndroidApp,
  { authority }: Wanted,
  association: Association,
): Finding[] => {
  if (!ids || !association) return [];
  const own = association.filter(({ id }) => ids.includes(id));
  const [app] = own;
  const known = association.map(({ id }) => id).join(', ') || 'no app';
  const all = `The app's id is ${ids.join(' or ')}, and assetlinks.json of ${authority} has ${known}.`;
  if (!app) return [found('android-package', idPlace, all)];
  const keys = own.flatMap(({ fingerprints }) => fingerprints);
  const isOfDebug = keys.length > 0 && keys.every((one) => one.toUpperCase() === debugKey);
  const isClosed = own.every(({ opens }) => !opens);
  return applying([
    [
      isOfDebug,
      'android-debug-fingerprint',
      app.fingerprintPlace,
      `${app.id} has only the fingerprint of the public debug key.`,
    ],
    [isClosed, 'association-path', app.place, `The rules for ${app.id} don't permit the short URLs.`],
  ]);
};
