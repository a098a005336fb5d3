import { hash } from 'node:crypto';
import type { ServiceAnswer } from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import type { EngineWrites, Written } from '../engine/writes/engine-writes.ts';
import type { ItemWrite } from '../engine/writes/item-write.ts';
import { type Input, returnsOld } from './transaction-parts.ts';

interface Call {
  readonly operation: string;
  readonly input: Input;
  readonly writes: readonly ItemWrite[];
  readonly settle: (answer: ServiceAnswer | Promise<ServiceAnswer>) => void;
}

type Run<Waiting> = (group: readonly [Waiting, ...Waiting[]]) => Promise<void>;

/** Forms that are remembered: a program has some hundred. */
const mostForms = 10_000;
/** Tokens that are remembered: a call is repeated within seconds. */
const mostTokens = 10_000;
/** DynamoDB's limit of a transaction's items, which are smaller than their JSON. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Makes single writes and transactions beside the engine: those whose form the engine has taken before, so that what is
 * valid stays its decision. It makes all others, one after the other, and transactions of which a condition isn't met.
 */
export function directly<Waiting extends Call>(beside: EngineWrites, run: Run<Waiting>): Run<Waiting> {
  const forms = new Set<string>();
  /** What transactions that were made here had, by their tokens; nothing of the engine's. */
  const tokens = new Map<unknown, string | undefined>();
  const isKnown = (call: Waiting) => {
    const all = formsOf(call);
    return all.length > 0 && all.every((form) => forms.has(form));
  };
  /** By the engine, whose answer tells whether the form is valid. */
  const byEngine = async (call: Waiting) => {
    const settle = async (answer: ServiceAnswer | Promise<ServiceAnswer>) => {
      call.settle(answer);
      const all = formsOf(call);
      if (all.length === 0 || !isValid(await answer)) return;
      if (forms.size >= mostForms) forms.clear();
      for (const form of all) forms.add(form);
    };
    await run([{ ...call, settle: (answer) => void settle(answer).catch(() => undefined) }]);
    if (call.operation.includes('Table')) beside.forgetTables();
  };
  /** A token means that its transaction is made once. Undefined: the engine makes it, and knows its token. */
  const transacted = (call: Waiting): ServiceAnswer | undefined => {
    if (call.writes.length === 0) return undefined;
    const { TransactItems, ClientRequestToken: token = crypto.randomUUID() } = call.input;
    const text = JSON.stringify(TransactItems);
    const content = hash('sha256', text);
    const before = tokens.get(token);
    if (before !== undefined) return before === content ? nothing : otherContent;
    if (tokens.has(token)) return undefined;
    const isMade = text.length < mostBytes && isKnown(call) && beside.makeAll(call.writes);
    if (tokens.size >= mostTokens) tokens.delete(tokens.keys().next().value);
    tokens.set(token, isMade ? content : undefined);
    return isMade ? nothing : undefined;
  };
  return async (group) => {
    const known = group.filter((call) => !isTransaction(call) && isKnown(call));
    const written = known.length > 0 ? beside.make(known.flatMap(({ writes }) => writes)) : [];
    const answers = new Map(
      known.flatMap((call, i) => (written[i] ? [[call, answerOf(call.input, written[i])]] : [])),
    );
    for (const call of group.filter(isTransaction)) {
      const answer = transacted(call);
      if (answer) answers.set(call, answer);
    }
    const onDisk = beside.synced();
    for (const [call, answer] of answers) call.settle(onDisk.then(() => answer));
    for (const call of group) if (!answers.has(call)) await byEngine(call);
  };
}

const errors = 'com.amazonaws.dynamodb.v20120810#';
const failedCondition = `${errors}ConditionalCheckFailedException`;
const nothing: ServiceAnswer = { status: 200, text: '{}' };
const otherContent: ServiceAnswer = {
  status: 400,
  text: `{"__type":"${errors}IdempotentParameterMismatchException","message":"An error occurred (IdempotentParameterMismatchException)"}`,
};

const isTransaction = ({ operation }: Call): boolean => operation === 'TransactWriteItems';

/** What its writes are without their values and their attributes' names; none if the call can't be made here. */
function formsOf(call: Call): readonly string[] {
  const { operation, writes } = call;
  if (!isTransaction(call) && (writes.length !== 1 || operation === 'BatchWriteItem')) return [];
  const all = writes.map((write) => formOf(operation, write));
  return all.every((form) => form !== undefined) ? all : [];
}

/** Undefined for what no client sends. */
function formOf(operation: string, { kind, input }: ItemWrite): string | undefined {
  const { TableName, Item, Key, ExpressionAttributeNames, ExpressionAttributeValues, ...texts } = input;
  const names = placeholdersOf(ExpressionAttributeNames, () => '');
  const values = placeholdersOf(ExpressionAttributeValues, typeOf);
  const isUsual = names !== undefined && values !== undefined && Object.values(texts).every(isText);
  if (!isUsual || (Item === undefined) === (Key === undefined)) return undefined;
  return [operation, kind, TableName, names, values, ...Object.entries(texts).flat()].join('\n');
}

const isText = (value: unknown) => typeof value === 'string';

function placeholdersOf(given: unknown, detailOf: (value: unknown) => string): string | undefined {
  if (given === undefined) return 'none';
  if (!isRecord(given)) return undefined;
  return Object.entries(given)
    .map(([name, value]) => name + detailOf(value))
    .join();
}

const typeOf = (value: unknown) => (isRecord(value) ? Object.keys(value).join() : '');

const isValid = ({ status, text }: ServiceAnswer) => status === 200 || text.includes(failedCondition);

function answerOf(input: Input, { isMade, before }: Written): ServiceAnswer {
  if (isMade) {
    const isAsked = returnsOld(input) && before !== null;
    return { status: 200, text: isAsked ? `{"Attributes":${before}}` : '{}' };
  }
  const isAsked = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== null;
  return {
    status: 400,
    text: `{"__type":"${failedCondition}","message":"The conditional request failed"${isAsked ? `,"Item":${before}` : ''}}`,
  };
}
