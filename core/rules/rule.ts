import type { Rule } from './rule-schema.ts';

export type { Conditions, Rule, RuleConditions, SplitEntry } from './rule-schema.ts';

/** Addresses of rules by the paths of their fields. */
export const ruleAddresses = (rules: readonly Rule[], path: string): Record<string, string> =>
  Object.fromEntries(
    rules.flatMap(({ link, split }, index) => [
      ...(link === undefined ? [] : [[`${path}.${index}.link`, link]]),
      ...(split ?? []).map((entry, place) => [`${path}.${index}.split.${place}.link`, entry.link]),
    ]),
  );

/** Number of hosts in rules, without the destination's. */
export const otherHosts = (rules: readonly Rule[], destination: string | undefined): number => {
  const hostOf = (address = '') => URL.parse(address)?.hostname;
  const hosts = new Set(Object.values(ruleAddresses(rules, '')).map(hostOf));
  hosts.delete(hostOf(destination));
  return hosts.size;
};
