import { isRecord } from '../base/json-values.ts';
import { matcher } from './wildcard.ts';

/** Values by condition key in lower case. A missing key can't be decided; one without values is absent. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

export type ConditionVerdict = 'met' | 'not met' | { readonly reason: string };

export type PolicyConditions = (context: RequestContext) => ConditionVerdict;

/** Whether all conditions of a statement are true: every operator and every key. */
export function compileConditions(condition: Readonly<Record<string, unknown>>): PolicyConditions {
  const tests = Object.entries(condition).flatMap(([operator, keys]) =>
    Object.entries(isRecord(keys) ? keys : {}).map(([key, values]) =>
      compileCondition(operator, key, [values].flat().map(String)),
    ),
  );
  return (context) => {
    const verdicts = tests.map((test) => test(context));
    // One unmet condition decides, even if others can't be decided.
    if (verdicts.includes('not met')) return 'not met';
    return verdicts.find((verdict) => typeof verdict === 'object') ?? 'met';
  };
}

/** Compares one value of the request with the policy's. */
type Comparison = (expected: readonly string[]) => (actual: string) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (expected) => (actual) => expected.includes(actual),
  StringLike: (expected) => {
    const tests = expected.map(matcher);
    return (actual) => tests.some((matches) => matches(actual));
  },
  Bool: (expected) => {
    const wanted = expected.map((value) => value.toLowerCase());
    return (actual) => wanted.includes(actual.toLowerCase());
  },
};

/** The quantifier of a multi-valued key; none for a single-valued one. */
type Quantifier = 'ForAllValues' | 'ForAnyValue';

const operatorPattern = /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/;

function compileCondition(operator: string, key: string, expected: readonly string[]): PolicyConditions {
  if (expected.some((value) => value.includes('${'))) {
    return () => ({ reason: `the condition on ${key} holds a variable` });
  }
  const [, quantifier, name = '', ifExists] = operatorPattern.exec(operator) ?? [];
  const isNull = name === 'Null' && !ifExists;
  const compare = comparisons[name]?.(expected);
  const lowered = key.toLowerCase();
  if (!isNull && !compare) return () => ({ reason: `it does not know the condition operator ${operator}` });
  return (context) => {
    const actual = context[lowered];
    if (!actual) return { reason: `it does not know the condition key ${key}` };
    if (isNull) return verdict(expected.includes(String(actual.length === 0)));
    if (actual.length === 0) return verdict(quantifier === 'ForAllValues' || ifExists !== undefined);
    return quantify(quantifier as Quantifier | undefined, key, actual.map(compare ?? (() => false)));
  };
}

function quantify(
  quantifier: Quantifier | undefined,
  key: string,
  matches: readonly boolean[],
): ConditionVerdict {
  if (quantifier === 'ForAllValues') return verdict(matches.every(Boolean));
  if (quantifier === 'ForAnyValue') return verdict(matches.some(Boolean));
  // IAM doesn't define plain operators on lists.
  if (matches.length > 1)
    return { reason: `${key} has several values and needs ForAllValues or ForAnyValue` };
  return verdict(matches[0] === true);
}

const verdict = (isMet: boolean): ConditionVerdict => (isMet ? 'met' : 'not met');
