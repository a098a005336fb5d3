import type { Visitor } from '../visits/visitor.ts';
import { isInRange } from './language.ts';
import type { Conditions, Rule, RuleConditions, SplitEntry } from './rule.ts';

/** A visitor's properties that rules use. */
export interface RuleVisitor {
  readonly visitor: Visitor;
  /** ISO 3166 code in upper case; undefined if unknown. */
  readonly country: string | undefined;
  /** The visitor's preferred language, in lower case. */
  readonly language: string | undefined;
  /** The visitor's number for a rule, 0 to 99, the same at every visit. */
  readonly numberOf: (rule: string) => number;
  readonly now: Date;
}

/** A rule's address for a visitor. */
export interface Decision {
  readonly rule: string;
  /** For a rule with a `split`, the entry that the visitor's number falls into. */
  readonly entry?: string;
  readonly link: string;
}

/** A decision's name in analytics: `RULE`, or `RULE/ENTRY` for a rule with a split. */
export const decisionName = ({ rule, entry }: Decision): string =>
  entry === undefined ? rule : `${rule}/${entry}`;

/**
 * The decisions of all rules that match a visitor, in order. The caller uses the first one whose address can be
 * followed. Crawlers, bots and scripts have no country, language, platform or number.
 */
export const decisions = (rules: readonly Rule[], visitor: RuleVisitor): Decision[] =>
  rules.flatMap((rule): Decision[] => {
    if (!ruleMatches(rule, visitor)) return [];
    if (rule.link !== undefined) return [{ rule: rule.name, link: rule.link }];
    const entry = visitor.visitor.kind === 'person' && entryOf(rule.split ?? [], visitor.numberOf(rule.name));
    return entry ? [{ rule: rule.name, entry: entry.name, link: entry.link }] : [];
  });

type Matcher<Wanted> = (wanted: Wanted, visitor: RuleVisitor) => boolean;

const ofPeople =
  <Wanted>(matches: Matcher<Wanted>): Matcher<Wanted> =>
  (wanted, asked) =>
    asked.visitor.kind === 'person' && matches(wanted, asked);

/** Tests whether each condition matches. */
const matchers: { readonly [Name in keyof Conditions]: Matcher<Conditions[Name]> } = {
  countries: ofPeople((codes, { country }) => country !== undefined && codes.includes(country)),
  languages: ofPeople(
    (ranges, { language }) => language !== undefined && ranges.some((range) => isInRange(language, range)),
  ),
  platforms: ofPeople((platforms, { visitor }) => platforms.includes(visitor.platform)),
  from: (from, { now }) => from <= now.toISOString(),
  until: (until, { now }) => now.toISOString() < until,
};

const names = Object.keys(matchers) as (keyof Conditions)[];

const ruleMatches = (rule: RuleConditions, visitor: RuleVisitor): boolean =>
  names.every((name) => conditionMatches(name, rule[name], visitor));

const conditionMatches = <Name extends keyof Conditions>(
  name: Name,
  wanted: Conditions[Name] | undefined,
  visitor: RuleVisitor,
): boolean => wanted === undefined || matchers[name](wanted, visitor);

/** The entry for a number. Entries take ranges of numbers in order; a number above their sum has none. */
const entryOf = (split: readonly SplitEntry[], number: number): SplitEntry | undefined => {
  let end = 0;
  return split.find(({ percent }) => {
    end += percent;
    return number < end;
  });
};
