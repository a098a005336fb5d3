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

/**
 * Makes single writes beside the engine: those whose form the engine has taken before, so that what is valid stays its
 * decision. It makes all others, one after the other.
 */
export function directly<Waiting extends Call>(beside: EngineWrites, run: Run<Waiting>): Run<Waiting> {
  const forms = new Set<string>();
  const isKnown = (call: Waiting) => forms.has(formOf(call) ?? '');
  /** By the engine, whose answer tells whether the form is valid. */
  const byEngine = async (call: Waiting) => {
    const form = formOf(call);
    const settle = async (answer: ServiceAnswer | Promise<ServiceAnswer>) => {
      call.settle(answer);
      if (form === undefined || !isValid(await answer)) return;
      if (forms.size >= mostForms) forms.clear();
      forms.add(form);
    };
    await run([{ ...call, settle: (answer) => void settle(answer).catch(() => undefined) }]);
    if (call.operation.includes('Table')) beside.forgetTables();
  };
  return async (group) => {
    const known = group.filter(isKnown);
    const written = known.length > 0 ? beside.make(known.flatMap(({ writes }) => writes)) : [];
    const made = new Map(known.flatMap((call, i) => (written[i] ? [[call, written[i]]] : [])));
    const onDisk = beside.synced();
    for (const [call, one] of made) call.settle(onDisk.then(() => answerOf(call.input, one)));
    for (const call of group) if (!made.has(call)) await byEngine(call);
  };
}

/**
 * A call of one write without its values and its attributes' names. Undefined for other calls, and for what no client
 * sends.
 */
function formOf({ operation, writes: [write, another] }: Call): string | undefined {
  if (!write || another || operation === 'BatchWriteItem') return undefined;
  const { kind, input } = write;
  const { TableName, Item, Key, ExpressionAttributeNames, ExpressionAttributeValues, ...texts } = input;
  const names = placeholdersOf(ExpressionAttributeNames, () => '');
  const values = placeholdersOf(ExpressionAttributeValues, typeOf);
  const isUsual = names !== undefined && values !== undefined && Object.values(texts).every(isText);
  if (!isUsual || (Item === undefined) === (Key === undefined)) return undefined;
  return [kind, TableName, names, values, ...Object.entries(texts).flat()].join('\n');
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

const failedCondition = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';

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
