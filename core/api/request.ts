import type * as z from 'zod';
import { type Failure, type Fault, refuseFaults } from '../base/failure.ts';
import { fault, faultMessage } from '../base/messages.ts';
import { ignoredPaths, misnamed, nearMisses, shownName } from '../fields/near-misses.ts';
import { schemaFault } from '../fields/schema-faults.ts';
import type { Contract } from './endpoint.ts';
import { rightValueAt } from './valid-values.ts';

type QueryParameters = Readonly<Record<string, readonly string[] | undefined>>;

/** The parts of a request as the gateway passes them. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Every value of each parameter, in order. */
  readonly query: QueryParameters;
  /** Parses the body as JSON, or throws a Failure. Called only if the contract has a body. */
  readonly body: () => Promise<unknown> | unknown;
}

/** A value parsed by its schema, with every fault. */
const readValue = <Value>(schema: z.ZodType<Value>, value: unknown, whole?: string) => {
  const { data, error } = schema.safeParse(value, { error: schemaFault });
  const faults = (error?.issues ?? [])
    // `nearMisses` reports each of them, with the known names.
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue): Fault => ({ field: issue.path.join('.'), message: messageOf(issue, whole) }));
  return { value: data as Value, faults, isRead: error === undefined };
};

/** A fault's message; for a wrong type, with an example of a valid value. */
const messageOf = ({ code, path, message }: z.core.$ZodIssue, whole?: string): string => {
  const isWrong = code === 'invalid_type' && message !== faultMessage('required');
  const right = isWrong && (path.length > 0 || whole === 'link') && rightValueAt(path);
  return right ? faultMessage('suchAs', { message, right }) : message;
};

/** A body, or a part of one, parsed by its schema. Throws VALIDATION_ERROR with every fault, including near misses. */
export const readBody = <Value>(schema: z.ZodType<Value>, value: unknown, whole?: string): Value => {
  const { value: read, faults, isRead } = readValue(schema, value, whole);
  refuseFaults([...faults, ...nearMisses(schema, value)], 'VALIDATION_ERROR', whole);
  if (!isRead) throw new Error('A value without faults was not read');
  return read;
};

/** The query, parsed by its schema. Throws INVALID_PARAMETERS, including for unknown and repeated parameters. */
export const readQuery = (schema: z.ZodObject | undefined, query: QueryParameters): unknown => {
  const names = Object.keys(schema?.shape ?? {});
  const faults: Fault[] = [];
  const given: Record<string, unknown> = {};
  for (const [name, values = []] of Object.entries(query)) {
    if (!names.includes(name)) faults.push(...unknownParameter(schema, name));
    else if (values.length > 1) faults.push(fault(name, 'repeatedParameter'));
    else given[name] = values[0];
  }
  if (!schema) return refuseFaults(faults, 'INVALID_PARAMETERS');
  const reading = readValue(schema, given);
  refuseFaults([...faults, ...reading.faults], 'INVALID_PARAMETERS');
  return reading.value;
};

const unknownParameter = (schema: z.ZodObject | undefined, name: string): Fault[] => {
  const near = schema ? misnamed(schema, name) : [];
  const names = Object.keys(schema?.shape ?? {}).join(', ');
  const unknown = fault(shownName(name), names ? 'unknownParameter' : 'noParameters', { names });
  return near.length > 0 ? near : [unknown];
};

const readParams = (
  schema: z.ZodObject | undefined,
  params: RawRequest['params'],
  unmatched?: () => Failure,
) => {
  if (!schema) return undefined;
  const plain = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? withPlainLetters(value) : value,
  ]);
  const { value, faults } = readValue(schema, Object.fromEntries(plain));
  if (unmatched && faults.length > 0) throw unmatched();
  refuseFaults(faults);
  return value;
};

/**
 * Decodes percent-encoded letters, digits and `-._~`, which mean the same plain (RFC 3986, 6.2.2.2), as in short URLs;
 * everything else stays as sent.
 */
const withPlainLetters = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (escaped, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(letter) ? letter : escaped;
  });

/** Parses a request by its contract, with the paths of ignored fields. Throws the failure of the first part with faults. */
export const readRequest = async (contract: Contract, raw: RawRequest) => {
  const query = readQuery(contract.query, raw.query);
  const params = readParams(contract.params, raw.params, contract.unmatched);
  if (!contract.body) return { query, params, body: undefined, ignored: [] };
  const body = await raw.body();
  if (contract.several && Array.isArray(body)) refuseFaults([fault('', contract.several)]);
  return {
    query,
    params,
    body: readBody(contract.body, body),
    ignored: ignoredPaths(contract.describedBody ?? contract.body, body),
  };
};
