import { appSections } from '../../../core/apps/app-fields.ts';
import { shownAddress } from '../../../core/base/shown-text.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { conditionsInWords } from '../../../core/pages/rule-words.ts';
import type { Rule } from '../../../core/rules/rule.ts';
import type { CallOutput } from '../../calls/client.ts';
import { moment } from '../../format.ts';
import { labelOf, titles } from './labels.ts';
import { flatten } from './link-draft.ts';

type Content = Pick<CallOutput<'link'>, 'name' | 'tags' | 'expiresAt' | 'payload'>;
type Part = { readonly [Name in keyof Content | 'status']?: unknown };

/** The texts of a setting that differs; undefined if it isn't set. */
export interface Difference {
  readonly name: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Differences between two states of a link. Only fields that both name are compared. */
export const differencesOf = (before: Part, after: Part): Difference[] => {
  const [from, to] = [settings(before), settings(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])];
  return names
    .map((name) => ({ name, from: from.get(name), to: to.get(name) }))
    .filter((one) => one.from !== one.to);
};

const settings = ({ name, tags, expiresAt, status, payload = {} }: Part): Map<string, string> => {
  const { rules = [], data = {}, ...others } = payload as Partial<LinkPayload>;
  const texts: [string, unknown][] = [
    ['Name', name],
    ['Tags', (tags as readonly string[] | undefined)?.join(', ')],
    ['Expires', expiresAt && moment(String(expiresAt))],
    ['Status', status && labelOf(String(status).toLowerCase())],
    ...Object.entries(flatten(others)).map(([path, text]): [string, string] => [nameOf(path), text]),
    ...Object.entries(data).map(([key, text]): [string, unknown] => [`App data: ${key}`, text]),
    ...rules.map((rule, i): [string, string] => [`Rule ${i + 1}`, ruleInWords(rule)]),
  ];
  return new Map(texts.flatMap(([label, text]) => (text ? [[label, shownAddress(String(text))]] : [])));
};

const nameOf = (path: string): string => {
  if (path === 'link') return 'Destination';
  const app = appSections.find(({ appId }) => appId === path);
  if (app) return `${titles[app.name]}: saved app`;
  const [section = '', ...rest] = path.split('.');
  const field = rest.join('.');
  return field === '' ? labelOf(section) : `${titles[section] ?? labelOf(section)}: ${labelOf(field)}`;
};

const ruleInWords = ({ name, link, split = [], ...conditions }: Rule): string => {
  const ways = link === undefined ? split : [{ link, percent: 100 }];
  const targets = ways.map((one) => (one.percent === 100 ? one.link : `${one.percent} % ${one.link}`));
  return `${name}: ${conditionsInWords(conditions)} → ${targets.join(', ')}`;
};
