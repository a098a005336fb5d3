/** A problem that the operator can fix; shown as one line. */
export class OperatorError extends Error {}
