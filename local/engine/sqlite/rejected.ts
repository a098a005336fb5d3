/** The failure of a call, with DynamoDB's name of the error. */
export class Rejected extends Error {
  readonly type: string;
  /** Further members of the error's body. */
  readonly more: object;

  constructor(type: string, message: string, more: object = {}) {
    super(message);
    this.type = type;
    this.more = more;
  }
}

export const invalid = (message: string): Rejected => new Rejected('ValidationException', message);

export const wrongValue = (what: string): Rejected =>
  invalid(`One or more parameter values were invalid: ${what}`);

export const noTable = (name: unknown): Rejected =>
  new Rejected('ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`);
