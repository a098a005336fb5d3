import { refusal, type ServiceAnswer } from '../base/json-service.ts';
import type { Principal } from './policy.ts';

export interface Callers {
  /** By access key id. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Access key id of the operator, who may do anything. @default whoever isn't a principal is the operator */
  readonly operatorKey?: string | undefined;
}

/** Whether a call with this access key id may come in. Signatures aren't checked: knowing the id is what counts. */
export const knows =
  ({ principals, operatorKey }: Callers) =>
  (caller: string): boolean =>
    caller !== '' && (operatorKey === undefined || caller === operatorKey || principals.has(caller));

/** As AWS refuses a call that isn't signed. */
export const unsigned = refusal({
  type: 'MissingAuthenticationTokenException',
  message: 'Request is missing Authentication Token',
});

const unknown = refusal({
  type: 'UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
});

/** Refuses a caller that isn't known. */
export const stranger = async (caller: string): Promise<ServiceAnswer> =>
  caller === '' ? unsigned : unknown;
