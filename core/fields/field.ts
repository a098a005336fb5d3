/** A field that a client can set, with its kind, description and example. */
export type Field = { readonly about: string; readonly example: string } & (
  | { readonly kind: 'text'; readonly min?: number; readonly max: number; readonly lines?: true }
  /** An app's package or bundle id. */
  | { readonly kind: 'identifier'; readonly min?: number }
  /** A web address. Rules for destinations apply when it is stored or followed. */
  | { readonly kind: 'address' }
  /** An app's number in the App Store. */
  | { readonly kind: 'store-id' }
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]] }
);

/** Texts under names that the client chooses. */
export interface Texts {
  readonly kind: 'texts';
  readonly about: string;
  readonly example: Readonly<Record<string, string>>;
}

export type Fields = Readonly<Record<string, Field>>;

export type ValueOf<F> = F extends { readonly values: readonly (infer Value)[] }
  ? Value
  : F extends Texts
    ? Texts['example']
    : string;

/** Examples of all fields, as a client would send them. */
export const examplesOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]));
