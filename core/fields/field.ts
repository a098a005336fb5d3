/** A field that a client can set: its kind, and how the API's description shows it. */
export type Field = { readonly about: string; readonly example: string } & (
  | { readonly kind: 'text'; readonly min?: number; readonly max: number; readonly lines?: true }
  /** Identifies an app: its package or bundle id. */
  | { readonly kind: 'identifier'; readonly min?: number }
  /** A web address. The rules for destinations apply wherever one is stored or followed. */
  | { readonly kind: 'address' }
  /** The number of an app in Apple's App Store. */
  | { readonly kind: 'store-id' }
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]] }
);

/** Texts by names that the client chooses. */
export interface Texts {
  readonly kind: 'texts';
  readonly about: string;
  readonly example: Readonly<Record<string, string>>;
}

export type Fields = Readonly<Record<string, Field>>;

/** The type of a field's value. */
export type ValueOf<F> = F extends { readonly values: readonly (infer Value)[] }
  ? Value
  : F extends Texts
    ? Texts['example']
    : string;

/** An example of every field, as a client would send it. */
export const examplesOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]));
