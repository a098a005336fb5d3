import type { Node } from 'constructs';
import { limits } from '../core/limits.ts';

/** What a deployment can choose, by CDK context. */
export interface Config {
  readonly stage: 'dev' | 'prod';
  /** Requests that a key may make in an hour. */
  readonly rateLimitPerHour: number;
  /** Days for which a returning visitor counts as the same one. */
  readonly uniqueWindowDays: number;
  /** Own domain of the short URLs; its certificate must be in us-east-1, as CloudFront wants it. */
  readonly short?: Domain;
  /** Own domain of the API, with a certificate in the stack's region. */
  readonly api?: Domain;
  /** Who is told of alarms. */
  readonly alarmEmail?: string;
}

export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

/** A context value that can't be used; the message names the key and what it takes. */
export class ConfigError extends Error {}

export const readConfig = (node: Node): Config => {
  const text = (key: string): string | undefined => {
    const value: unknown = node.tryGetContext(key);
    return value === undefined || value === '' ? undefined : String(value);
  };
  const short = domain('short', text);
  const api = domain('api', text);
  const alarmEmail = matching(text, 'alarmEmail', /^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address');
  return {
    stage: stageOf(text('stage') ?? 'dev'),
    rateLimitPerHour: wholeNumber(text, 'rateLimitPerHour', limits.requestsPerHour, 1, 100_000_000),
    uniqueWindowDays: wholeNumber(text, 'uniqueWindowDays', 90, 1, 3650),
    ...(short && { short }),
    ...(api && { api }),
    ...(alarmEmail && { alarmEmail }),
  };
};

type Text = (key: string) => string | undefined;

const stageOf = (stage: string): Config['stage'] => {
  if (stage === 'dev' || stage === 'prod') return stage;
  throw new ConfigError(`stage must be dev or prod, not '${stage}'`);
};

const wholeNumber = (text: Text, key: string, otherwise: number, min: number, max: number): number => {
  const given = text(key);
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return value;
  throw new ConfigError(`${key} must be a whole number from ${min} to ${max}, not '${given}'`);
};

const matching = (text: Text, key: string, pattern: RegExp, what: string): string | undefined => {
  const given = text(key);
  if (given === undefined || pattern.test(given)) return given;
  throw new ConfigError(`${key} must be ${what}, not '${given}'`);
};

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const domain = (kind: 'short' | 'api', text: Text): Domain | undefined => {
  const name = matching(text, `${kind}Domain`, hostName, 'a host name in lower case, such as go.example.com');
  const arn = /^arn:[^:]+:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/;
  const certificateArn = matching(text, `${kind}CertificateArn`, arn, 'the ARN of an ACM certificate');
  if ((name === undefined) !== (certificateArn === undefined)) {
    throw new ConfigError(`${kind}Domain and ${kind}CertificateArn go together: give both or neither`);
  }
  if (kind === 'short' && certificateArn && !certificateArn.includes(':acm:us-east-1:')) {
    throw new ConfigError(
      'shortCertificateArn must be a certificate in us-east-1, where CloudFront looks for it',
    );
  }
  return name && certificateArn ? { name, certificateArn } : undefined;
};
