import { customAlphabet } from 'nanoid';

/** So many random letters and digits: keys and ids, safe in addresses and names. */
export const randomText: (length: number) => string = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
);
