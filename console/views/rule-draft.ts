import type { Platform } from '../../core/base/platform.ts';
import type { Rule, RuleConditions, SplitEntry } from '../../core/rules/rule.ts';
import { fromField, toField } from './utc-field.ts';

/** A rule as its form shows it: lists are texts, so that what is half typed stays. */
export interface RuleDraft {
  /** Of this form alone: names and places change. */
  readonly id: number;
  readonly name: string;
  readonly countries: string;
  readonly languages: string;
  readonly platforms: readonly Platform[];
  readonly from: string;
  readonly until: string;
  readonly link: string;
  /** Set if the rule has a split in place of its link. */
  readonly entries: readonly EntryDraft[] | undefined;
  /** As it is stored; undefined of a new rule. */
  readonly stored?: Rule | undefined;
}

export interface EntryDraft {
  readonly id: number;
  readonly name: string;
  readonly percent: string;
  readonly link: string;
}

let lastId = 0;
const newId = (): number => {
  lastId += 1;
  return lastId;
};

export const draftsOf = (rules: readonly Rule[] = []): RuleDraft[] =>
  rules.map((rule) => ({
    id: newId(),
    name: rule.name,
    countries: (rule.countries ?? []).join(', '),
    languages: (rule.languages ?? []).join(', '),
    platforms: rule.platforms ?? [],
    from: toField(rule.from),
    until: toField(rule.until),
    link: rule.link ?? '',
    entries: rule.split?.map(entryDraft),
    stored: rule,
  }));

const entryDraft = ({ name, percent, link }: SplitEntry): EntryDraft => ({
  id: newId(),
  name,
  percent: String(percent),
  link,
});

export const newRule = (): RuleDraft => ({
  id: newId(),
  name: '',
  countries: '',
  languages: '',
  platforms: [],
  from: '',
  until: '',
  link: '',
  entries: undefined,
});

export const newEntry = (percent: string, link = ''): EntryDraft => ({
  id: newId(),
  name: '',
  percent,
  link,
});

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

const conditionsOf = (draft: RuleDraft): RuleConditions => {
  const { platforms, stored } = draft;
  const [countries, languages] = [listOf(draft.countries), listOf(draft.languages)];
  return {
    ...(countries.length > 0 && { countries: countries.map((code) => code.toUpperCase()) }),
    ...(languages.length > 0 && { languages }),
    ...(platforms.length > 0 && { platforms }),
    ...(draft.from && { from: fromField(draft.from, stored?.from) }),
    ...(draft.until && { until: fromField(draft.until, stored?.until) }),
  };
};

/** What the form would send; the server checks it. */
export const rulesOf = (drafts: readonly RuleDraft[]): Rule[] =>
  drafts.map((draft) => ({
    name: draft.name,
    ...conditionsOf(draft),
    ...(draft.entries
      ? { split: draft.entries.map(({ name, percent, link }) => ({ name, percent: Number(percent), link })) }
      : { link: draft.link }),
  }));

/** The conditions as far as they can be put into words already. */
export const tellable = (draft: RuleDraft): RuleConditions => {
  const { countries, from, until, ...rest } = conditionsOf(draft);
  const known = countries?.filter((code) => /^[A-Z]{2}$/.test(code)) ?? [];
  const isTime = (iso: string | undefined) => iso !== undefined && !Number.isNaN(Date.parse(iso));
  return {
    ...rest,
    ...(known.length > 0 && { countries: known }),
    ...(isTime(from) && { from }),
    ...(isTime(until) && { until }),
  };
};

/** What the API calls each rule and entry of a list, by their ids. */
export const pathsOf = (drafts: readonly RuleDraft[]): ReadonlyMap<number, string> =>
  new Map(
    drafts.flatMap(({ id, entries = [] }, index): [number, string][] => [
      [id, `payload.rules.${index}`],
      ...entries.map((entry, place): [number, string] => [entry.id, `payload.rules.${index}.split.${place}`]),
    ]),
  );

/** What an update says of rules: nothing if they are as they were, null if there are none any more. */
export const changedRules = (
  stored: readonly Rule[] | undefined,
  drafts: readonly RuleDraft[],
): { readonly rules?: Rule[] | null } => {
  const now = rulesOf(drafts);
  if (JSON.stringify(now) === JSON.stringify(rulesOf(draftsOf(stored)))) return {};
  return { rules: now.length > 0 ? now : null };
};
