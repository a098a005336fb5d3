import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Properties } from './properties.ts';

/** The value of a secret: generated at its first use and kept. */
export type Secrets = (id: string, generate: () => string) => string;

/** Secrets that survive a restart when a file is given. */
export function keepSecrets(file?: string): Secrets {
  const values = new Map(Object.entries(file ? readValues(file) : {}));
  return (id, generate) => {
    const known = values.get(id);
    if (known !== undefined) return known;
    const value = generate();
    values.set(id, value);
    if (file) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`, { mode: 0o600 });
    }
    return value;
  };
}

function readValues(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    // New values would silently orphan everything derived from the old ones.
    throw new Error(`${file} is damaged: restore it, or remove it to make new secrets`);
  }
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

export function randomText(length: number, alphabet = upper + upper.toLowerCase() + digits): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** A secret string as `GenerateSecretString` asks for it. */
export function generateSecretString(rule: Properties): string {
  const excluded = rule.text('ExcludeCharacters', '');
  const alphabet = [
    rule.flag('ExcludeUppercase') ? '' : upper,
    rule.flag('ExcludeLowercase') ? '' : upper.toLowerCase(),
    rule.flag('ExcludeNumbers') ? '' : digits,
    rule.flag('ExcludePunctuation') ? '' : punctuation,
    rule.flag('IncludeSpace') ? ' ' : '',
  ];
  const allowed = [...alphabet.join('')].filter((letter) => !excluded.includes(letter)).join('');
  const value = randomText(rule.number('PasswordLength', 32), allowed);
  if (!rule.has('GenerateStringKey')) return value;
  const fixed: object = JSON.parse(rule.text('SecretStringTemplate', '{}'));
  return JSON.stringify({ ...fixed, [rule.text('GenerateStringKey')]: value });
}
