import { customAlphabet } from 'nanoid';
import { limits } from '../base/limits.ts';

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A random code from a cryptographic source, every character equally likely. */
export const generateCode = customAlphabet(alphanumeric, limits.generatedCodeLength);
