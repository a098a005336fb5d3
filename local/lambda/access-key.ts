/** Identifies the caller to the tables. Logical ids contain only letters and digits, like access key ids. */
export function accessKeyOf(functionId: string): string {
  return functionId;
}
