import type { Platform } from '../base/platform.ts';

/** One of the addresses between which a rule splits its visitors. */
export interface SplitEntry {
  readonly name: string;
  /** Whole, 1 to 100. */
  readonly percent: number;
  readonly link: string;
}

/** Conditions, of which all must hold; an absent one always holds. */
export interface RuleConditions {
  /** Codes of ISO 3166 in upper case. */
  readonly countries?: readonly string[] | undefined;
  /** Language ranges of RFC 4647, such as `de` or `pt-BR`. */
  readonly languages?: readonly string[] | undefined;
  readonly platforms?: readonly Platform[] | undefined;
  /** ISO 8601 UTC with milliseconds; inclusive. */
  readonly from?: string | undefined;
  /** ISO 8601 UTC with milliseconds; exclusive. */
  readonly until?: string | undefined;
}

/** Sends the visitors for whom its conditions hold to its `link`, or to one of its `split`. It has one of both. */
export interface Rule extends RuleConditions {
  readonly name: string;
  readonly link?: string | undefined;
  readonly split?: readonly SplitEntry[] | undefined;
}

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
