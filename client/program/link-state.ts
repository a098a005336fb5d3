import { isDeepStrictEqual } from 'node:util';
import type { LinkPayload, ListedLink } from '../types.ts';

/** An entry of a file, once it has been checked. */
export interface Entry {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly payload?: Partial<LinkPayload>;
  readonly expiresAt?: string;
  readonly status?: 'ACTIVE' | 'PAUSED';
}

/** The state of a link except its status, as the service stores it. */
export type LinkState = ReturnType<typeof linkStateOf>;

/** The state of a file's entry or of the service's link; both are equal if nothing changes. */
export const linkStateOf = ({
  name,
  tags = [],
  payload,
  expiresAt,
}: Entry | Pick<ListedLink, 'name' | 'tags' | 'payload' | 'expiresAt'>) => ({
  ...(name !== undefined && { name }),
  tags: [...new Set(tags.map((tag) => tag.toLowerCase()))].sort(),
  payload: payloadOf(payload ?? {}),
  ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt) }),
});

/** Empty sections and lists are the same as none. */
const payloadOf = (payload: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(payload)
      .map(([name, value]) => [name, name === 'rules' ? (value as Rule[]).map(ruleOf) : value])
      .filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0),
  );

interface Rule {
  readonly countries?: readonly string[];
  readonly from?: string;
  readonly until?: string;
}

const ruleOf = ({ countries, from, until, ...rule }: Rule): Rule => ({
  ...rule,
  ...(countries && { countries: countries.map((country) => country.toUpperCase()) }),
  ...(from !== undefined && { from: timeOf(from) }),
  ...(until !== undefined && { until: timeOf(until) }),
});

const clock = String.raw`([01]\d|2[0-3]):\d\d(:\d\d(\.\d+)?)?`;
const offset = String.raw`(Z|\+(0\d|1[0-3]):[0-5]\d|\+14:00|-(0\d|1[01]):[0-5]\d|-12:00)`;
const isTime = new RegExp(String.raw`^\d{4}-\d\d-\d\d(T${clock}${offset})?$`);

/** A time in UTC with milliseconds. One that the service refuses, such as 30 February, stays as written. */
const timeOf = (text: string): string => {
  const day = text.slice(0, 10);
  const time = isTime.test(text) && inUtc(day).startsWith(day) ? inUtc(text) : text;
  return time.length === '2030-01-31T12:00:00.000Z'.length ? time : text;
};

const inUtc = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
};

/** A field that differs. Undefined stands for an unset one. */
export type FieldChange = ReturnType<typeof changesBetween>[number];

/** Changes by field, in order. */
export const changesBetween = (from: LinkState, to: LinkState) => {
  const before = fieldsOf(from);
  const after = fieldsOf(to);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => !isDeepStrictEqual(before.get(field), after.get(field)))
    .sort()
    .map((field) => ({ field, from: before.get(field), to: after.get(field) }));
};

const fieldsOf = ({ payload, ...fields }: LinkState): Map<string, unknown> => {
  const found = new Map<string, unknown>(Object.entries(fields));
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      found.set(`payload.${name}`, value);
    else for (const [inner, one] of Object.entries(value)) found.set(`payload.${name}.${inner}`, one);
  }
  return found;
};
