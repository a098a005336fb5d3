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

const hostsOf = (rules: readonly Rule[]): Set<string> =>
  new Set(
    rules
      .flatMap(({ link, split: entries }) => [link, ...(entries ?? []).map((entry) => entry.link)])
      .flatMap((address) => URL.parse(address ?? '')?.hostname ?? []),
  );

/** How many hosts a list of rules names beside the destination's. */
export const otherHosts = (rules: readonly Rule[], destination: string | undefined): number => {
  const hosts = hostsOf(rules);
  const own = URL.parse(destination ?? '')?.hostname;
  return hosts.size - (own !== undefined && hosts.has(own) ? 1 : 0);
};
