import type { Platform } from '../../../core/base/platform.ts';
import type { Conditions, Rule, RuleConditions, SplitEntry } from '../../../core/rules/rule.ts';
import { fromField, toField } from '../../components/local-time.ts';

/** A rule in its form. Conditions are texts, so that incomplete input stays; an empty text is no condition. */
export interface RuleDraft extends Readonly<Record<keyof Conditions, string>> {
  /** Only for this form, in which names and positions change. */
  readonly id: number;
  readonly name: string;
  readonly link: string;
  /** Set if the rule has a split instead of a link. */
  readonly entries: readonly EntryDraft[] | undefined;
  /** Undefined for a new rule. */
  readonly stored?: Rule | undefined;
}

export interface EntryDraft {
  readonly id: number;
  readonly name: string;
  readonly percent: string;
  readonly link: string;
  readonly stored?: SplitEntry | undefined;
}

let lastId = 0;
const newId = (): number => {
  lastId += 1;
  return lastId;
};

/** How the form shows a condition. */
export interface ConditionField {
  readonly label: string;
  readonly hint?: string;
  readonly kind?: 'time' | 'countries' | 'languages';
  /** Labels of the possible values, by value. */
  readonly choices?: Readonly<Record<string, string>>;
}

interface ConditionText<Value> extends ConditionField {
  readonly write: (stored: Value | undefined) => string;
  /** Parses a non-empty text; `stored` is the previous value. */
  readonly read: (text: string, stored: Value | undefined) => Value | undefined;
  /** The part of the value that is valid enough to be described. */
  readonly complete?: (value: Value) => Value | undefined;
}

export const splitWords = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

const unlessEmpty = <Item>(list: readonly Item[]) => (list.length > 0 ? list : undefined);

/** The server checks the items. */
const list = <Item extends string>() => ({
  write: (items: readonly Item[] = []) => items.join(', '),
  read: (text: string) => unlessEmpty(splitWords(text) as Item[]),
});

const time = {
  kind: 'time',
  write: toField,
  read: fromField,
  complete: (iso: string) => (Number.isNaN(Date.parse(iso)) ? undefined : iso),
} as const;

const platformNames: Readonly<Record<Platform, string>> = {
  ios: 'iPhone and iPad',
  android: 'Android',
  web: 'Desktop',
};

/** Each condition's field, with its conversion from and to text. */
const texts: { readonly [Name in keyof Conditions]: ConditionText<Conditions[Name]> } = {
  countries: {
    label: 'Countries',
    hint: 'Names or codes, with commas between. Empty: all.',
    kind: 'countries',
    ...list(),
    read: (text) => unlessEmpty(splitWords(text.toUpperCase())),
    complete: (codes) => unlessEmpty(codes.filter((code) => /^[A-Z]{2}$/.test(code))),
  },
  languages: {
    label: 'Languages',
    hint: 'The browser’s first one, by name or as pt-BR. Empty: all.',
    kind: 'languages',
    ...list(),
  },
  platforms: { label: 'Platforms', hint: 'None chosen: all.', choices: platformNames, ...list() },
  from: { label: 'From', ...time },
  until: { label: 'Until', ...time },
};
export const conditionFields: Readonly<Record<keyof Conditions, ConditionField>> = texts;

export const conditionNames = Object.keys(texts) as (keyof Conditions)[];

/** A record by condition. The cast is needed because `fromEntries` loses the type of each name. */
const eachCondition = <Made>(made: (name: keyof Conditions) => unknown): Made =>
  Object.fromEntries(conditionNames.map((name) => [name, made(name)])) as Made;

const textOf = <Name extends keyof Conditions>(name: Name, rule: RuleConditions): string =>
  texts[name].write(rule[name]);

const draftOf = (rule: Rule): RuleDraft => ({
  ...eachCondition<Record<keyof Conditions, string>>((name) => textOf(name, rule)),
  id: newId(),
  name: rule.name,
  link: rule.link ?? '',
  entries: rule.split?.map((entry) => ({
    ...entry,
    percent: String(entry.percent),
    id: newId(),
    stored: entry,
  })),
  stored: rule,
});

export const draftsOf = (rules: readonly Rule[] = []): RuleDraft[] => rules.map(draftOf);

export const newRule = (): RuleDraft => ({ ...draftOf({ name: '' }), stored: undefined });

export const newEntry = (percent: string, link = ''): EntryDraft => ({
  id: newId(),
  name: '',
  percent,
  link,
});

const valueIn = <Name extends keyof Conditions>(
  name: Name,
  draft: RuleDraft,
): Conditions[Name] | undefined => {
  const before: RuleConditions = draft.stored ?? {};
  return draft[name] === '' ? undefined : texts[name].read(draft[name], before[name]);
};

const withoutUndefined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;

/** The rules to send, which the server checks. Stored fields that the form lacks stay. */
export const rulesFromDrafts = (drafts: readonly RuleDraft[]): Rule[] =>
  drafts.map((draft) =>
    withoutUndefined({
      ...draft.stored,
      name: draft.name,
      ...eachCondition<RuleConditions>((name) => valueIn(name, draft)),
      link: draft.entries ? undefined : draft.link,
      split: draft.entries?.map(({ stored, name, percent, link }) => ({
        ...stored,
        ...{ name, percent: Number(percent), link },
      })),
    }),
  );

const completeOf = <Name extends keyof Conditions>(name: Name, draft: RuleDraft) => {
  const value = valueIn(name, draft);
  const { complete }: ConditionText<Conditions[Name]> = texts[name];
  return value === undefined || !complete ? value : complete(value);
};

/** The conditions that are valid enough to be described. */
export const completeConditions = (draft: RuleDraft): RuleConditions =>
  eachCondition((name) => completeOf(name, draft));

/** The API's path of each rule and entry, by id. */
export const pathsOf = (drafts: readonly RuleDraft[]): ReadonlyMap<number, string> =>
  new Map(
    drafts.flatMap(({ id, entries = [] }, index): [number, string][] => [
      [id, `payload.rules.${index}`],
      ...entries.map((entry, place): [number, string] => [entry.id, `payload.rules.${index}.split.${place}`]),
    ]),
  );

/** An update's rules: none if unchanged, null if all were removed. */
export const changedRules = (
  stored: readonly Rule[] | undefined,
  drafts: readonly RuleDraft[],
): { readonly rules?: Rule[] | null } => {
  const now = rulesFromDrafts(drafts);
  if (JSON.stringify(now) === JSON.stringify(rulesFromDrafts(draftsOf(stored)))) return {};
  return { rules: now.length > 0 ? now : null };
};
