/**
 * Identifies a function to the stack's services. `secret` is the stack's: other programs on this machine can't guess
 * the key. Logical ids contain only letters and digits, like access key ids.
 */
export const accessKeyOf = (functionId: string, secret: string): string => functionId + secret;
