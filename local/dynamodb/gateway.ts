import type { TableResource } from '../assembly.ts';
import { denialsOf, explain } from '../iam/denials.ts';
import type { Access, Principal } from '../iam/policy.ts';
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
  const denial = denialsOf(principals);
  return (operation: string, caller: string, input: Input): string | undefined => {
    const principal = principals.get(caller);
    if (!principal) return undefined;
    const needed = accessOf(operation, input, byName, leadingKeys);
    for (const { action, resource, leadingKeys: keys } of needed ?? [])
      observe?.({ principal: principal.name, action, resource, leadingKeys: keys });
    if (!enforce) return undefined;
    if (!needed) {
      const access = { action: `dynamodb:${operation}`, resource: '*' };
      return explain(principal, access, { kind: 'undecided', reason: 'it does not authorize PartiQL' });
    }
    for (const access of needed) {
      const message = denial(caller, access);
      if (message !== undefined) return message;
    }
    return undefined;
  };
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
