/** An invalid context value; the message names the key and the accepted values. */
export class ConfigError extends Error {}

/** A context value as text; nothing for one that is left out or empty. */
export type Text = (key: string) => string | undefined;

export const oneOf = <const Value extends string>(
  text: Text,
  key: string,
  values: readonly Value[],
): Value | undefined => {
  const given = text(key);
  const value = values.find((one) => one === given);
  if (given === undefined || value !== undefined) return value;
  throw new ConfigError(`${key} must be ${values.join(' or ')}, not '${given}'`);
};

export const wholeNumber = (
  text: Text,
  key: string,
  otherwise: number,
  [min, max]: [number, number],
): number => {
  const given = text(key);
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return value;
  throw new ConfigError(`${key} must be a whole number from ${min} to ${max}, not '${given}'`);
};

/** CloudWatch knows these and no others. */
const logRetentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557];

export const logRetention = (text: Text): number => {
  const days = Number(text('logRetentionDays') ?? 30);
  if (logRetentions.includes(days)) return days;
  throw new ConfigError(`logRetentionDays must be one of ${logRetentions.join(', ')}`);
};

export const matching = (text: Text, key: string, pattern: RegExp, what: string): string | undefined => {
  const given = text(key);
  if (given === undefined || pattern.test(given)) return given;
  throw new ConfigError(`${key} must be ${what}, not '${given}'`);
};

/** A number where the key is given, nothing where it is not. */
export const optionalNumber = (text: Text, key: string, range: [number, number]): number | undefined =>
  text(key) === undefined ? undefined : wholeNumber(text, key, 0, range);

/** An amount with cents, if the key is given. */
export const dollars = (text: Text, key: string): number | undefined => {
  const given = matching(text, key, /^\d{1,9}(\.\d{1,2})?$/, amountForm);
  if (given === undefined || Number(given) > 0) return given === undefined ? undefined : Number(given);
  throw new ConfigError(`${key} must be ${amountForm}, not '${given}'`);
};

const amountForm = 'an amount of US dollars above 0, such as 50';

/** Where people can write to: a web page or a mail address. */
export const contact = (text: Text, key: string): string | undefined => {
  const given = matching(text, key, /^(https:\/\/|mailto:)\S+$/, contactForm);
  if (given === undefined || isContact(given)) return given;
  throw new ConfigError(`${key} must be ${contactForm}, not '${given}'`);
};

const contactForm = 'an https or mailto address, such as mailto:abuse@example.com';

/** Control characters and spaces are out already; quotes and angle brackets have no place in an address either. */
const isContact = (given: string): boolean =>
  !/["'<>\\^`{|}]/.test(given) &&
  (given.startsWith('mailto:')
    ? /^mailto:[^@?]+@[^@?]+\.[^@?]+(\?.*)?$/.test(given)
    : URL.canParse(given) && new URL(given).hostname.includes('.'));
