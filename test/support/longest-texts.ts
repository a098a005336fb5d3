import type { Field } from '../../core/fields/field.ts';
import { checkedSchema } from '../../core/fields/field-schema.ts';

/** Characters that grow when encoded: in JSON, in JSON inside JSON, in UTF-8, in a URL. */
export const fillers = [...'"\\😀語é <%x\u2028\n\t\u007f\u0001'];

/**
 * The longest text of one repeated character that a field accepts, after its required beginning; undefined if it
 * accepts none.
 */
export const longest = (field: Field, filler: string): string | undefined => {
  const start = field.kind === 'address' ? 'https://example.com/?' : '';
  const made = (n: number) => start + filler.repeat(n);
  const takes = (n: number) => checkedSchema(field).safeParse(made(n)).success;
  if (!takes(1)) return undefined;
  let [low, high] = [1, 4096];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (takes(middle)) low = middle;
    else high = middle - 1;
  }
  return made(low);
};
