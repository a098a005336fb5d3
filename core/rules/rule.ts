import type { Rule } from './rule-schema.ts';

export type { Conditions, Rule, RuleConditions, SplitEntry } from './rule-schema.ts';

/** Every address of a list of rules with the path of its field. */
export const ruleAddresses = (rules: readonly Rule[], path: string): Record<string, string> =>
  Object.fromEntries(
    rules.flatMap(({ link, split }, index) => [
      ...(link === undefined ? [] : [[`${path}.${index}.link`, link]]),
      ...(split ?? []).map((entry, place) => [`${path}.${index}.split.${place}.link`, entry.link]),
    ]),
  );

/** How many hosts a list of rules names beside the destination's. */
export const otherHosts = (rules: readonly Rule[], destination: string | undefined): number => {
  const hostOf = (address = '') => URL.parse(address)?.hostname;
  const hosts = new Set(Object.values(ruleAddresses(rules, '')).map(hostOf));
  hosts.delete(hostOf(destination));
  return hosts.size;
};
