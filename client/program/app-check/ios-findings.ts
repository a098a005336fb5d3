import type { Association } from './association.ts';
import { type Finding, found, type Wanted } from './findings.ts';
import type { Domain, IosApp } from './ios-project.ts';

export const iosFindings = (app: IosApp, wanted: Wanted, association: Association): readonly Finding[] => [
  ...domainFindings(app, wanted),
  ...associationFindings(app, wanted, association),
];

const domainFindings = (app: IosApp, { host, authority }: Wanted): Finding[] => {
  const right = [`applinks:${host}`, `applinks:${authority}`];
  const isRight = ({ value }: Domain) => right.includes(value.toLowerCase()) || coversByWildcard(value, host);
  if (app.domains.some(isRight) || !app.isReadable) return [];
  const isForDevelopers = ({ value }: Domain) =>
    right.includes(value.toLowerCase().replace(/\?mode=developer$/, ''));
  const ofLinks = app.domains.filter(
    ({ value }) => !/^(webcredentials|activitycontinuation|appclips):/.test(value),
  );
  const developer = app.domains.find(isForDevelopers);
  const form = ofLinks.find(({ value }) => hostOf(value) === host);
  const www = ofLinks.find(({ value }) => withoutWww(hostOf(value)) === withoutWww(host));
  const unused = app.unused.find(isRight);
  if (developer)
    return [
      found('ios-developer-mode', developer.place, `${developer.value} works on developers' phones only.`),
    ];
  if (form)
    return [
      found(
        'ios-domain-form',
        form.place,
        `${JSON.stringify(form.value)} isn't a service, a colon and a host.`,
      ),
    ];
  if (www) return [found('ios-domain-www', www.place, `${www.value} is another host than ${host}.`)];
  if (unused)
    return [
      found(
        'ios-entitlement-unused',
        unused.place,
        `No target of the app is signed with ${unused.place.file}.`,
      ),
    ];
  return [found(app.missing, app.place, `The app's associated domains don't have applinks:${host}.`)];
};

/** The host that somebody meant by a value. */
const hostOf = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replace(/^[\w-]+:\s*(?!\/\/)(?!\d+($|\/))/, '')
    .replace(/^https?:\/\//, '')
    .replace(/[/?#\s].*$/, '')
    .replace(/:\d+$/, '');

const withoutWww = (host: string): string => host.replace(/^www\./, '');

const coversByWildcard = (value: string, host: string): boolean => {
  const [, domain] = /^applinks:\*\.([^/?]+)$/i.exec(value) ?? [];
  return domain !== undefined && host.endsWith(`.${domain.toLowerCase()}`);
};

const associationFindings = (
  { bundle, team }: IosApp,
  { authority }: Wanted,
  association: Association,
): Finding[] => {
  if (!association || bundle.value === undefined) return [];
  const own = association.filter(({ id }) => id.replace(/^[^.]*\./, '') === bundle.value);
  const ofTeam = own.filter(({ id }) => team.value === undefined || id.startsWith(`${team.value}.`));
  const known = association.map(({ id }) => id).join(', ') || 'no app';
  const file = `and apple-app-site-association of ${authority} has ${known}.`;
  const [app] = own;
  if (!app) return [found('ios-bundle', bundle.place, `The bundle id is ${bundle.value}, ${file}`)];
  if (ofTeam.length === 0) return [found('ios-team', team.place, `The team is ${team.value}, ${file}`)];
  if (ofTeam.some(({ opens }) => opens)) return [];
  return [found('association-path', app.place, `The rules for ${app.id} don't permit the short URLs.`)];
};
