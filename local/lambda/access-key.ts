/** By which the tables know whose call it is. Logical ids hold letters and digits only, as access key ids do. */
export function accessKeyOf(functionId: string): string {
  return functionId;
}
