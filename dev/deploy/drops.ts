import { existingKeys, outputOf } from '../../lib/settings.ts';

const named = ['shortDomain', 'apiDomain', 'alarmEmail', 'tableName', 'standby', ...existingKeys] as const;

/** The parts of a deployed stack that a deployment could remove. */
export type StandingParts = Readonly<Partial<Record<(typeof named)[number], string>>> & {
  readonly shortAliases: readonly string[];
};

/** Reads the parts from a stack's outputs. Addresses assigned by AWS aren't the operator's domains. */
export const standingOf = (outputs: Readonly<Record<string, string>>): StandingParts => {
  const ownHost = (address: string | undefined, ofAws: RegExp): string | undefined => {
    const host = address && URL.canParse(address) ? new URL(address).hostname : undefined;
    return host !== undefined && !ofAws.test(host) ? host : undefined;
  };
  const shortDomain = ownHost(outputs.ShortBaseUrl, /\.cloudfront\.net$/);
  const apiDomain = ownHost(outputs.ApiBaseUrl, /\.execute-api\./);
  return {
    ...(shortDomain && { shortDomain }),
    ...(apiDomain && { apiDomain }),
    ...(outputs.AlarmEmail && { alarmEmail: outputs.AlarmEmail }),
    ...(outputs.AdoptedTable && { tableName: outputs.AdoptedTable }),
    ...(outputs.StandbyRegion && { standby: outputs.StandbyRegion }),
    ...Object.fromEntries(
      existingKeys.flatMap((key) => (outputs[outputOf(key)] ? [[key, outputs[outputOf(key)]]] : [])),
    ),
    shortAliases: outputs.ShortHosts?.split(',').filter((host) => host !== shortDomain) ?? [],
  };
};

const beforeStandbyEnds = "(first 'standby stop', and 'standby show' without waiting clicks)";

/** One line for each existing part that would be removed, with its value. */
export const dropsBetween = (now: StandingParts, next: StandingParts): string[] => [
  ...named.flatMap((key) => {
    const value = now[key];
    if (value === undefined || next[key] === value) return [];
    // A host that stays as an alias is not removed.
    if (key === 'shortDomain' && next.shortAliases.includes(value)) return [];
    return [key === 'standby' ? `${key} ${value} ${beforeStandbyEnds}` : `${key} ${value}`];
  }),
  ...now.shortAliases
    .filter((host) => !next.shortAliases.includes(host) && host !== next.shortDomain)
    .map((host) => `shortAliases ${host}`),
];
