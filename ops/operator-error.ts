/** A problem that the operator can fix; shown as one line. */
export class OperatorError extends Error {}

/** What the operator typed can't be right, whatever the stack holds. */
export class UsageError extends OperatorError {}
