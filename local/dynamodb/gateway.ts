import type { TableResource } from '../assembly.ts';
import { type Access, type Decision, type Policy, type Principal, policyOf } from '../iam/policy.ts';
import { isRecord } from '../json-values.ts';
import { accessOf, type LeadingKeys } from './access.ts';
import { type EngineProxy, refusal, startEngineProxy } from './engine-proxy.ts';
import { shareCommits } from './shared-commits.ts';
import { type Input, isWrite } from './transaction-parts.ts';
import { writeCount } from './write-count.ts';

export interface TableGatewayOptions {
  /** The engine's. */
  readonly endpoint: string;
  /** By access key id. A caller with any other id is the operator, who may do anything. */
  readonly principals: ReadonlyMap<string, Principal>;
  readonly tables: readonly TableResource[];
  /** If false, every call passes; calls are still observed. */
  readonly enforce: boolean;
  /** @default 'part' */
  readonly leadingKeys?: LeadingKeys;
  /** Whether calls go on together: the engine must commit one write at a time and take none but this gateway's. */
  readonly sharesCommits?: boolean;
  /** Counts the writes that pass. */
  readonly writes?: SharedArrayBuffer;
  /** Sees every permission that a principal's call asks for. */
  readonly observe?: (call: ObservedCall) => void;
}

/** A permission that a principal's call has asked for. */
export interface ObservedCall extends Pick<Access, 'action' | 'resource' | 'leadingKeys'> {
  readonly principal: string;
}

interface Refusal {
  readonly access: Access;
  readonly decision: Decision;
}

/** A proxy in front of the engine that refuses calls which the caller's policy doesn't allow. */
export async function startTableGateway(options: TableGatewayOptions): Promise<EngineProxy> {
  const { endpoint, tables, sharesCommits = false, writes } = options;
  const authorize = authorizer(options);
  const shared = sharesCommits ? shareCommits(endpoint, tables) : undefined;
  const count = writes && writeCount(writes);
  const { stop, ...proxy } = await startEngineProxy(
    endpoint,
    async ({ operation, caller, body }, forward) => {
      const input = parse(body);
      const message = authorize(operation, caller, input);
      if (message !== undefined) return refusal({ type: 'AccessDeniedException', message });
      const answer = shared ? shared.send({ operation, input, alone: forward }) : forward();
      // A failure, too: the engine may have made the write.
      return count && isWrite(operation) ? answer.finally(count.add) : answer;
    },
  );
  return { ...proxy, stop: () => stop().finally(() => shared?.close()) };
}

/** Says why a call is refused. */
function authorizer({ principals, tables, enforce, leadingKeys, observe }: TableGatewayOptions) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const policies = new Map([...principals].map(([key, principal]) => [key, policyOf(principal)]));
  return (operation: string, caller: string, input: Input): string | undefined => {
    const principal = principals.get(caller);
    const policy = policies.get(caller);
    if (!principal || !policy) return undefined;
    const needed = accessOf(operation, input, byName, leadingKeys);
    for (const { action, resource, leadingKeys: keys } of needed ?? [])
      observe?.({ principal: principal.name, action, resource, leadingKeys: keys });
    if (!enforce) return undefined;
    const denial = firstRefusal(operation, needed, policy);
    return denial && explain(principal, denial);
  };
}

function firstRefusal(
  operation: string,
  needed: readonly Access[] | undefined,
  policy: Policy,
): Refusal | undefined {
  if (!needed) {
    const access = { action: `dynamodb:${operation}`, resource: '*', leadingKeys: [], attributes: [] };
    return { access, decision: { kind: 'undecided', reason: 'it does not authorize PartiQL' } };
  }
  for (const access of needed) {
    const decision = policy(access);
    if (decision.kind !== 'allowed') return { access, decision };
  }
  return undefined;
}

/** Why a call is refused, as AWS words it. */
export function explain(principal: Principal, { access, decision }: Refusal): string {
  const account = access.resource.split(':')[4] || '000000000000';
  const user = `arn:aws:sts::${account}:assumed-role/${principal.name}/${principal.name}`;
  const denial = `User: ${user} is not authorized to perform: ${access.action} on resource: ${access.resource}`;
  if (decision.kind === 'denied by a statement')
    return `${denial} with an explicit deny in an identity-based policy`;
  if (decision.kind === 'undecided')
    return `${denial} because the local stack can't decide it: ${decision.reason}`;
  return `${denial} because no identity-based policy allows the ${access.action} action`;
}

/** Bodies that aren't JSON are left to the engine to refuse. */
function parse(body: Buffer): Input {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
