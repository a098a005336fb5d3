import type { PolicyStatement } from '../assembly/assembly.ts';
import {
  type ConditionVerdict,
  compileConditions,
  type PolicyConditions,
  type RequestContext,
} from './policy-conditions.ts';
import { matcher } from './wildcard.ts';

/** One permission that a request needs. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
  /** Hash key values in the request, of a table or an index; none for other services. */
  readonly leadingKeys?: readonly string[] | 'unknown';
  readonly attributes?: readonly string[];
}

export interface Principal {
  readonly name: string;
  readonly statements: readonly PolicyStatement[];
}

/** `undecided` also refuses, and names the part that the local stack can't evaluate. */
export type AccessDecision =
  | { readonly kind: 'allowed' | 'denied by no statement' | 'denied by a statement' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Decides what a principal may do, as IAM would by the principal's own policies. */
export type Policy = (access: NeededPermission) => AccessDecision;

export function policyOf({ statements }: Principal): Policy {
  const compiled = statements.map(compileStatement);
  const known = new Map<string, readonly Statement[]>();
  const concerned = (access: NeededPermission) => {
    const name = `${access.action} ${access.resource}`;
    const found = known.get(name) ?? compiled.filter(({ concerns }) => concerns(access));
    // Bounded, because callers choose the names of resources.
    if (known.size < 1000) known.set(name, found);
    return found;
  };
  return (access) => {
    const context = contextOf(access);
    const statements = concerned(access);
    const verdicts = (effect: Statement['effect']) =>
      statements
        .filter((statement) => statement.effect === effect)
        .map(({ conditions }) => conditions(context));
    const denials = verdicts('Deny');
    if (denials.includes('met')) return { kind: 'denied by a statement' };
    const openDenial = undecided(denials);
    if (openDenial) return openDenial;
    const grants = verdicts('Allow');
    if (grants.includes('met')) return { kind: 'allowed' };
    return undecided(grants) ?? { kind: 'denied by no statement' };
  };
}

interface Statement {
  readonly effect: PolicyStatement['Effect'];
  readonly concerns: (access: NeededPermission) => boolean;
  readonly conditions: PolicyConditions;
}

function compileStatement(statement: PolicyStatement): Statement {
  const { Effect, Action, NotAction, Resource, NotResource, Condition } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') {
    throw new Error(`A policy statement has the effect ${JSON.stringify(Effect)}`);
  }
  const action = oneOf({ name: 'Action', given: Action, but: NotAction, test: actionMatcher });
  const resource = oneOf({ name: 'Resource', given: Resource, but: NotResource, test: resourceMatcher });
  return {
    effect: Effect,
    concerns: (access) => action(access.action) && resource(access.resource),
    conditions: compileConditions(Condition ?? {}),
  };
}

interface Element {
  readonly name: string;
  readonly given: string | readonly string[] | undefined;
  readonly but: string | readonly string[] | undefined;
  readonly test: (pattern: string) => (value: string) => boolean;
}

/** Tests an element or its opposite. IAM requires exactly one of them. */
function oneOf({ name, given, but, test }: Element): (value: string) => boolean {
  const listed = given ?? but;
  if (listed === undefined || (given !== undefined && but !== undefined)) {
    throw new Error(`A policy statement needs either ${name} or Not${name}`);
  }
  const tests = [listed].flat().map(test);
  return (value) => tests.some((matches) => matches(value)) === (given !== undefined);
}

function actionMatcher(pattern: string): (action: string) => boolean {
  const matches = matcher(pattern.toLowerCase());
  return (action) => matches(action.toLowerCase());
}

/** Wildcards stop at the colons of an ARN, except in its last part, which may contain colons. */
function resourceMatcher(pattern: string): (resource: string) => boolean {
  if (pattern.includes('${')) throw new Error(`A policy statement has a variable: ${pattern}`);
  if (pattern === '*') return () => true;
  const tests = arnParts(pattern).map(matcher);
  return (resource) => {
    const parts = arnParts(resource);
    return parts.length === tests.length && tests.every((matches, index) => matches(parts[index] ?? ''));
  };
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length > 6 ? [...parts.slice(0, 5), parts.slice(5).join(':')] : parts;
}

/** Every condition key that can be decided; keys without values are absent from the request. */
function contextOf({ leadingKeys = [], attributes = [] }: NeededPermission): RequestContext {
  return {
    // Keys that the local stack can't read from a request stay undecided.
    ...(leadingKeys !== 'unknown' && { 'dynamodb:leadingkeys': leadingKeys }),
    'dynamodb:attributes': attributes,
    // True of every call that a function makes on AWS.
    'aws:securetransport': ['true'],
    'aws:viaawsservice': ['false'],
  };
}

function undecided(verdicts: readonly ConditionVerdict[]): AccessDecision | undefined {
  for (const verdict of verdicts) if (typeof verdict === 'object') return { kind: 'undecided', ...verdict };
  return undefined;
}
