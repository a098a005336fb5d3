import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failureStatus, faultsListed } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import type { EventType } from '../events/event.ts';
import type { Contract } from './endpoint.ts';
import { exampleUsed } from './examples.ts';

/** A JSON Schema with the keywords that the description uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

export type TextRows<Value = string> = Readonly<Record<string, Value>>;

const values: TextRows<unknown> = {
  ...limits,
  requestsLeft: limits.requestsPerHour - exampleUsed,
  failureCodes: JSON.stringify(Object.keys(failureStatus)),
  faultsListed,
  rememberedHours: limits.rememberedSeconds / 3600,
};

/**
 * The parts of the API's description that don't depend on contracts, from a file that no function loads.
 *
 * `names` are names of objects and choices, by field or by owner and field; in a draft or patch, objects get its
 * suffix. `forms` are names of lists and alternatives. Without a row, an object is named after its owner and field.
 */
export const parts: {
  readonly info: { readonly title: string };
  /** The groups of operations, in the order of the reference page. */
  readonly tags: readonly { readonly name: Contract['tag']; readonly description: string }[];
  readonly names: TextRows<string | readonly string[]>;
  readonly forms: TextRows;
  /** Descriptions of schemas, fields, and fields of one owner; a parameter's owner is its operation. */
  readonly words: TextRows;
  readonly headers: TextRows<Schema>;
  readonly securitySchemes: TextRows<object>;
  /** Failures that every endpoint can return, with their conditions. */
  readonly failures: TextRows;
  /** Both forms of responses to failed calls. */
  readonly failureSchemas: TextRows<Schema>;
  readonly servers: readonly object[];
  readonly idempotencyKey: Readonly<Record<'name' | 'in' | 'description', string>> & {
    readonly required: boolean;
    readonly schema: Schema;
    readonly example: string;
  };
  /** The shared parts of all webhooks' requests. */
  readonly webhook: object;
  readonly event: Schema;
  /** Fields of `data` by type of event. */
  readonly events: Readonly<Record<EventType | 'webhook.test', readonly string[]>>;
  /** Examples of analytics by their grouping. */
  readonly analytics: TextRows<unknown>;
  readonly eventFields: TextRows<Schema>;
  readonly eventExamples: object;
} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'openapi-parts.json'), 'utf8').replaceAll(
    /"\{(\w+)\}"|\{(\w+)\}/g,
    (all, whole: string | undefined, inside: string) => String(values[whole ?? inside] ?? all),
  ),
);
