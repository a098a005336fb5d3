import { isRecord } from '../../core/base/record.ts';

/** A JSON Schema, as far as the description uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

/** An operation with where it is. */
export type Placed = Operation & { readonly path: string; readonly method: string };

export type Tag = Readonly<Record<'name' | 'description', string>>;

interface Description {
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>>;
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The description with everything in the places that refer to it; its own type would say no more than that it is JSON. */
export const wholeOf = ({ components, ...description }: Readonly<Record<string, unknown>>): Description => {
  const kinds = components as Readonly<Record<string, Readonly<Record<string, object>>>>;
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (!isRecord(value)) return value;
    const [kind = '', name = ''] = String(value.$ref ?? '')
      .split('/')
      .slice(-2);
    const parts = Object.entries({ ...kinds[kind]?.[name], ...value });
    return Object.fromEntries(parts.map(([part, inner]) => [part, whole(inner)]));
  };
  return whole(description) as Description;
};
