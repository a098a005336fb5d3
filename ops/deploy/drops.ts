/** What of a deployed stack a deployment could take away, by the outputs of either. */
export type Standing = Readonly<Partial<Record<'shortDomain' | 'apiDomain' | 'alarmEmail', string>>> & {
  readonly shortAliases: readonly string[];
};

/** Reads it from the outputs of a stack. Addresses that AWS gave are no domains of the operator's. */
export const standingOf = (outputs: Readonly<Record<string, string>>): Standing => {
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
    shortAliases: outputs.ShortHosts?.split(',').filter((host) => host !== shortDomain) ?? [],
  };
};

/** One line for each thing that is there now and would be gone, with its value. */
export const dropsBetween = (now: Standing, next: Standing): string[] => [
  ...(['shortDomain', 'apiDomain', 'alarmEmail'] as const).flatMap((key) => {
    const value = now[key];
    if (value === undefined || next[key] === value) return [];
    // A host that stays as a further one is not gone.
    if (key === 'shortDomain' && next.shortAliases.includes(value)) return [];
    return [`${key} ${value}`];
  }),
  ...now.shortAliases
    .filter((host) => !next.shortAliases.includes(host) && host !== next.shortDomain)
    .map((host) => `shortAliases ${host}`),
];
