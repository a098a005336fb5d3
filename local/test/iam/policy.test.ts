import type { PolicyStatement } from '../../assembly/assembly.ts';

import { type NeededPermission, policyOf } from '../../iam/policy.ts';

/** A variable of IAM, whose value only AWS knows. */
const variable = '$'.concat('{aws:userid}');
const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Links';
const get: NeededPermission = {
  action: 'dynamodb:GetItem',
  resource: table,
  leadingKeys: ['mine-1'],
  attributes: [],
};

const decide = (statements: readonly PolicyStatement[], access: Partial<NeededPermission> = {}) => {
  const decision = policyOf({ name: 'Role', statements })({ ...get, ...access });
  return decision.kind === 'undecided' ? decision.reason : decision.kind;
};

const allow = (fields: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: 'Allow',
  ...(fields.NotAction === undefined && { Action: 'dynamodb:GetItem' }),
  ...(fields.NotResource === undefined && { Resource: table }),
  ...fields,
});
const deny = (fields: Partial<PolicyStatement> = {}): PolicyStatement => ({
  ...allow(fields),
  Effect: 'Deny',
});

const [allowed, unallowed, denied] = ['allowed', 'denied by no statement', 'denied by a statement'];

test.each<[string, PolicyStatement[], string | undefined]>([
  ['nothing', [], unallowed],
  ['the action on the resource', [allow()], allowed],
  ['one of several actions', [allow({ Action: ['dynamodb:PutItem', 'dynamodb:GetItem'] })], allowed],
  ['another action', [allow({ Action: 'dynamodb:GetItems' })], unallowed],
  ['an action in small letters', [allow({ Action: 'DynamoDB:getitem' })], allowed],
  ['actions with a star', [allow({ Action: 'dynamodb:Get*' })], allowed],
  ['actions with a question mark', [allow({ Action: 'dynamodb:?etItem' })], allowed],
  ['a question mark too many', [allow({ Action: 'dynamodb:GetItem?' })], unallowed],
  ['a dot, which is not a wildcard', [allow({ Action: 'dynamodb.GetItem' })], unallowed],
  ['all but another action', [allow({ NotAction: 'dynamodb:Put*' })], allowed],
  ['all but this action', [allow({ NotAction: ['dynamodb:Get*'] })], unallowed],
  ['any resource', [allow({ Resource: '*' })], allowed],
  ['one of several resources', [allow({ Resource: [`${table}/index/*`, table] })], allowed],
  ['only the indexes', [allow({ Resource: `${table}/index/*` })], unallowed],
  ['a resource in other letters', [allow({ Resource: table.replace('Links', 'links') })], unallowed],
  ['a star within the ARN', [allow({ Resource: table.replace('eu-central-1', '*') })], allowed],
  ['a star at the end', [allow({ Resource: table.replace('Links', '*') })], allowed],
  ['a star over several parts', [allow({ Resource: 'arn:aws:dynamodb:*' })], unallowed],
  ['all but another resource', [allow({ NotResource: `${table}2` })], allowed],
  ['all but this resource', [allow({ NotResource: [table] })], unallowed],
  ['a denial after', [allow(), deny()], denied],
  ['a denial before', [deny({ Action: '*' }), allow()], denied],
  ['a denial of something else', [allow(), deny({ Action: 'dynamodb:Scan' })], allowed],
  ['a denial of all but this', [allow(), deny({ NotAction: 'dynamodb:GetItem' })], allowed],
])('with %s', (_, statements, decision) => {
  expect(decide(statements)).toBe(decision);
});

const [leading, like, equals] = ['dynamodb:LeadingKeys', 'StringLike', 'StringEquals'];

test.each<[string, object, readonly string[], string | undefined]>([
  ['equal', { [equals]: { [leading]: 'mine-1' } }, ['mine-1'], allowed],
  ['equal to one of several', { [equals]: { [leading]: ['mine-0', 'mine-1'] } }, ['mine-1'], allowed],
  ['equal, not alike', { [equals]: { [leading]: 'mine-*' } }, ['mine-1'], unallowed],
  ['alike', { [like]: { [leading]: 'mine-*' } }, ['mine-1'], allowed],
  ['not alike', { [like]: { [leading]: 'yours-*' } }, ['mine-1'], unallowed],
  ['with its key in other letters', { [like]: { 'DynamoDB:leadingkeys': 'mine-*' } }, ['mine-1'], allowed],
  ['missing', { [like]: { [leading]: '*' } }, [], unallowed],
  ['missing, if it exists', { StringLikeIfExists: { [leading]: 'mine' } }, [], allowed],
  [
    'several without a quantifier',
    { [like]: { [leading]: '*' } },
    ['a', 'b'],
    `${leading} has several values and needs ForAllValues or ForAnyValue`,
  ],
  ['all alike', { 'ForAllValues:StringLike': { [leading]: 'mine-*' } }, ['mine-1', 'mine-2'], allowed],
  ['not all alike', { 'ForAllValues:StringLike': { [leading]: 'mine-*' } }, ['mine-1', 'my-2'], unallowed],
  ['all of none', { 'ForAllValues:StringEquals': { [leading]: 'mine' } }, [], allowed],
  ['any alike', { 'ForAnyValue:StringLike': { [leading]: 'mine-*' } }, ['my-1', 'mine-2'], allowed],
  ['none alike', { 'ForAnyValue:StringLike': { [leading]: 'mine-*' } }, ['my-1', 'my-2'], unallowed],
  ['any of none', { 'ForAnyValue:StringEquals': { [leading]: 'mine' } }, [], unallowed],
  ['there', { Null: { [leading]: 'false' } }, ['mine-1'], allowed],
  ['not there', { Null: { [leading]: true } }, ['mine-1'], unallowed],
  ['not there either', { Null: { [leading]: 'true' } }, [], allowed],
  ['true', { Bool: { 'aws:SecureTransport': 'true' } }, [], allowed],
  ['false', { Bool: { 'aws:SecureTransport': false } }, [], unallowed],
  ['two of which one fails', { [like]: { [leading]: '*' }, [equals]: { [leading]: 'x' } }, ['a'], unallowed],
  [
    'unknown by operator',
    { NumericLessThan: { [leading]: '1' } },
    ['a'],
    'it does not know the condition operator NumericLessThan',
  ],
  [
    'unknown by quantifier',
    { 'ForSome:StringLike': { [leading]: '1' } },
    ['a'],
    'it does not know the condition operator ForSome:StringLike',
  ],
  [
    'unknown by key',
    { [equals]: { 'aws:SourceIp': '1' } },
    ['a'],
    'it does not know the condition key aws:SourceIp',
  ],
  [
    'a variable',
    { [equals]: { [leading]: variable } },
    ['a'],
    `the condition on ${leading} holds a variable`,
  ],
  ['unknown, but another fails', { [equals]: { 'aws:SourceIp': '1', [leading]: 'x' } }, ['a'], unallowed],
])('where a value must be %s', (_, Condition, leadingKeys, decision) => {
  expect(decide([allow({ Condition: { ...Condition } })], { leadingKeys })).toBe(decision);
});

test('an unknown condition refuses, unless it makes no difference', () => {
  const unknown = { StringEquals: { 'aws:SourceIp': '1' } };
  expect(decide([allow({ Condition: unknown }), allow()])).toBe(allowed);
  expect(decide([allow(), deny({ Condition: unknown })])).toContain('aws:SourceIp');
  expect(decide([deny(), deny({ Condition: unknown })])).toBe(denied);
});

test.each<[string, object, RegExp]>([
  ['no effect', { Action: '*', Resource: '*' }, /effect/],
  ['no action', { Effect: 'Allow', Resource: '*' }, /either Action or NotAction/],
  ['both resources', { Effect: 'Allow', Action: '*', Resource: '*', NotResource: 'x' }, /either Resource/],
  ['a variable', { Effect: 'Allow', Action: '*', Resource: `arn:${variable}` }, /variable/],
])('a statement with %s is refused', (_, statement, message) => {
  expect(() => decide([statement as PolicyStatement])).toThrow(message);
});
