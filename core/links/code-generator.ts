import { limits } from '../base/limits.ts';
import { randomText } from '../base/random-text.ts';

/** A random code from a cryptographic source, every character equally likely. */
export const generateCode = (): string => randomText(limits.generatedCodeLength);
