/** A choice that can't be used; the message names the setting and what it accepts. */
export class ConfigError extends Error {}

/** What a setting may be: `of` takes a value or its text, and returns the value; nothing for what can't be used. */
export interface Kind<Value> {
  readonly must: string;
  readonly of: (given: unknown) => Value | undefined;
}

/** Throws ConfigError. */
export const checked = <Value>(key: string, { must, of }: Kind<Value>, given: unknown): Value => {
  const value = of(given);
  if (value !== undefined) return value;
  throw new ConfigError(`${key} must be ${must}, not '${given}'`);
};

export const choice = <const Value extends string>(...values: readonly Value[]): Kind<Value> => ({
  must: values.join(' or '),
  of: (given) => values.find((one) => one === given),
});

const truth = (yes: string, no: string): Kind<boolean> => ({
  must: `${yes} or ${no}`,
  of: (given) => [true, false].find((one) => given === one || given === (one ? yes : no)),
});

export const onOrOff = truth('on', 'off');
export const trueOrFalse = truth('true', 'false');

const numberOf = (given: unknown, pattern: RegExp): number =>
  pattern.test(String(given)) ? Number(given) : Number.NaN;

export const wholeNumber = (min: number, max: number): Kind<number> => ({
  must: `a whole number from ${min} to ${max}`,
  of: (given) => {
    const value = numberOf(given, /^\d+$/);
    return value >= min && value <= max ? value : undefined;
  },
});

export const oneOfNumbers = <const Value extends number>(...numbers: readonly Value[]): Kind<Value> => ({
  must: `one of ${numbers.join(', ')}`,
  of: (given) => numbers.find((one) => one === numberOf(given, /^\d+$/)),
});

/** An amount with cents. */
export const dollars: Kind<number> = {
  must: 'an amount of US dollars above 0, such as 50',
  of: (given) => {
    const value = numberOf(given, /^\d{1,9}(\.\d{1,2})?$/);
    return value > 0 ? value : undefined;
  },
};

export const matching = (pattern: RegExp, must: string): Kind<string> => ({
  must,
  of: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined),
});

/** Several of a kind, as text with commas between. */
export const listOf = ({ of }: Kind<string>, must: string): Kind<readonly string[]> => ({
  must,
  of: (given) => {
    const values = Array.isArray(given)
      ? given
      : String(given)
          .trim()
          .split(/\s*,\s*/);
    const found = values.map(of);
    return found.every((one) => one !== undefined) ? found : undefined;
  },
});

/** Two whole numbers, each at least so large, as text with a comma between. */
export const pairFrom = (first: number, second: number): Kind<readonly [number, number]> => ({
  must: `two whole numbers from ${first},${second} on`,
  of: (given) => {
    const [, one = 0, other = 0] = (/^(\d+), ?(\d+)$/.exec(String(given)) ?? []).map(Number);
    return one >= first && other >= second && other <= Number.MAX_SAFE_INTEGER ? [one, other] : undefined;
  },
});

/** How a table is paid for: by request, or for so many reads and writes a second, used or not. */
export type Capacity = 'on-demand' | Provisioned;
export interface Provisioned {
  readonly reads: number;
  readonly writes: number;
}

export const capacity: Kind<Capacity> = {
  must: 'on-demand, or provisioned: with reads and writes a second, such as provisioned:500,1500',
  of: (given) => {
    const isProvisioned =
      typeof given === 'object' && given !== null && 'reads' in given && 'writes' in given;
    const text = isProvisioned ? `provisioned:${given.reads},${given.writes}` : String(given);
    if (text === 'on-demand') return 'on-demand';
    const [, reads = 0, writes = 0] = (/^provisioned:(\d{1,7}), ?(\d{1,7})$/.exec(text) ?? []).map(Number);
    return reads > 0 && writes > 0 ? { reads, writes } : undefined;
  },
};

/** Where people can write to: a web page or a mail address. */
export const contact: Kind<string> = {
  must: 'an https or mailto address, such as mailto:abuse@example.com',
  of: (given) =>
    typeof given === 'string' && /^(https:\/\/|mailto:)\S+$/.test(given) && isContact(given)
      ? given
      : undefined,
};

/** Control characters and spaces are out already; quotes and angle brackets have no place in an address either. */
const isContact = (given: string): boolean =>
  !/["'<>\\^`{|}]/.test(given) &&
  (given.startsWith('mailto:')
    ? /^mailto:[^@?]+@[^@?]+\.[^@?]+(\?.*)?$/.test(given)
    : URL.canParse(given) && new URL(given).hostname.includes('.'));

/** An address of OpenID Connect. One of many organisations' says nothing of whose an e-mail address is. */
/** Tenants of Microsoft for everybody; the last is the id of `consumers`. */
const ofMany = /^\/+(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i;

export const issuer: Kind<string> = {
  must: "an https address of one organisation's issuer, without query, such as https://accounts.google.com",
  of: (given) => {
    const url = typeof given === 'string' ? URL.parse(given) : null;
    if (!url || url.search || url.hash || url.username || url.password) return undefined;
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) return undefined;
    const isMicrosoft = /(^|\.)(microsoftonline\.(com|us)|windows\.net)$/.test(url.hostname);
    return isMicrosoft && ofMany.test(url.pathname) ? undefined : String(given);
  },
};
