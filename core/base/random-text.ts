import { customAlphabet } from 'nanoid';

/** Random letters and digits, for keys and ids that are safe in addresses and names. */
export const randomText: (length: number) => string = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
);
