import { account } from '../assembly/intrinsics.ts';
import { type AccessDecision, type NeededPermission, type Principal, policyOf } from './policy.ts';

/** AWS's message for a denied permission; undefined if it is allowed. */
export type Denials = (caller: string, access: NeededPermission) => string | undefined;

/** Checks calls of principals, by access key id, against their roles. Other callers may do anything. */
export function denialsOf(principals: ReadonlyMap<string, Principal>): Denials {
  const known = new Map(
    [...principals].map(([key, principal]) => [key, { principal, policy: policyOf(principal) }]),
  );
  return (caller, access) => {
    const found = known.get(caller);
    const decision = found?.policy(access);
    if (!found || !decision || decision.kind === 'allowed') return undefined;
    return explain(found.principal, access, decision);
  };
}

export function explain(
  principal: Principal,
  { action, resource }: NeededPermission,
  decision: AccessDecision,
): string {
  const owner = resource.split(':')[4] || account;
  const user = `arn:aws:sts::${owner}:assumed-role/${principal.name}/${principal.name}`;
  const denial = `User: ${user} is not authorized to perform: ${action} on resource: ${resource}`;
  if (decision.kind === 'denied by a statement')
    return `${denial} with an explicit deny in an identity-based policy`;
  if (decision.kind === 'undecided')
    return `${denial} because the local stack can't decide it: ${decision.reason}`;
  return `${denial} because no identity-based policy allows the ${action} action`;
}
