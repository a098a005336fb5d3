/** A field that a client can set: what it holds, and how the description of the API shows it. */
export type Field = { readonly about: string; readonly example: string } & (
  | { readonly kind: 'text'; readonly min?: number; readonly max: number; readonly lines?: true }
  /** What tells an app from all others: its package or bundle id. */
  | { readonly kind: 'identifier'; readonly min?: number }
  /** A web address. Wherever one is stored or followed, the rules for destinations hold. */
  | { readonly kind: 'address' }
  /** The number of an app in Apple's App Store. */
  | { readonly kind: 'store-id' }
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]] }
);

export type Fields = Readonly<Record<string, Field>>;

/** What a field holds, as a type. */
export type ValueOf<F> = F extends { readonly values: readonly (infer Value)[] } ? Value : string;

/** An example of every field, as a client would send it. */
export const examplesOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]));
