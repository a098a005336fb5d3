import { refusal, type ServiceResponse } from '../base/json-service.ts';
import type { Principal } from './policy.ts';

export interface Callers {
  /** By access key id. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Access key id of the operator, who may do anything. @default any caller that isn't a principal is the operator */
  readonly operatorKey?: string | undefined;
}

/** Whether a call with this access key id is accepted. Signatures aren't checked: the id is the credential. */
export const knows =
  ({ principals, operatorKey }: Callers) =>
  (caller: string): boolean =>
    caller !== '' && (operatorKey === undefined || caller === operatorKey || principals.has(caller));

/** AWS's refusal of an unsigned call. */
export const unsigned = refusal({
  type: 'MissingAuthenticationTokenException',
  message: 'Request is missing Authentication Token',
});

const unknown = refusal({
  type: 'UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
});

/** Refuses an unknown caller. */
export const stranger = async (caller: string): Promise<ServiceResponse> =>
  caller === '' ? unsigned : unknown;
