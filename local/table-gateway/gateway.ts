import type { MessagePort } from 'node:worker_threads';
import type { TableResource } from '../assembly/assembly.ts';
import { type JsonService, refusal, type ServiceResponse, startJsonService } from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import { engineClient } from '../engine/engine-client.ts';
import {
  type Input,
  openSqliteEngine,
  type SqliteEngine,
  type SqliteOptions,
} from '../engine/sqlite/sqlite-engine.ts';
import { type Callers, knows, stranger } from '../iam/callers.ts';
import { denialsOf, explain } from '../iam/denials.ts';
import type { NeededPermission } from '../iam/policy.ts';
import { type LeadingKeys, neededPermissions } from './access.ts';
import { type GatewayCall, type Handle, serveMessagePorts } from './message-ports.ts';
import { writeCount } from './write-count.ts';

export interface TableGatewayOptions extends Callers {
  /** The engine's address, or options to open it in this thread. */
  readonly engine: string | SqliteOptions;
  /** Engines of other regions, with the names of their tables. */
  readonly others?: readonly { readonly tables: readonly string[]; readonly engine: SqliteOptions }[];
  /** The gateway's port. @default a free one */
  readonly port?: number | undefined;
  readonly tables: readonly TableResource[];
  /** If false, every call passes; calls are still observed. */
  readonly enforce: boolean;
  /** @default 'part' */
  readonly leadingKeys?: LeadingKeys;
  /** Counts the writes that pass. */
  readonly writes?: SharedArrayBuffer;
  /** Receives every permission that a principal's call needs. */
  readonly observe?: (call: ObservedCall) => void;
}

/** A permission that a principal's call needs. */
export interface ObservedCall extends Pick<NeededPermission, 'action' | 'resource' | 'leadingKeys'> {
  readonly principal: string;
}

interface TableGateway {
  /** Handles a call of a known caller. */
  readonly handle: Handle;
  close(): Promise<void>;
}

/** The only way to the engine: refuses calls that the caller's policy doesn't allow. */
function openTableGateway(options: TableGatewayOptions): TableGateway {
  const authorize = authorizer(options);
  const { send, close } = wayToAll(options);
  const count = options.writes && writeCount(options.writes);
  const handle: Handle = async (call) => {
    const { caller, operation, text } = call;
    const input = parse(text);
    const message = authorize(operation, caller, input);
    if (message !== undefined) return refusal({ type: 'AccessDeniedException', message });
    const answer = send(call, input);
    // Failures count too, because the engine may have made the write.
    return count && isWrite(operation) ? answer.finally(count.add) : answer;
  };
  return { handle, close };
}

interface Way {
  readonly send: (call: GatewayCall, input: Input) => Promise<ServiceResponse>;
  close(): Promise<void>;
}

/** The way to the engine of the table that a call concerns; no call concerns tables of several regions. */
function wayToAll({ engine, others = [] }: TableGatewayOptions): Way {
  const home = wayTo(engine);
  if (others.length === 0) return home;
  const elsewhere = others.map(({ tables, engine }) => ({ tables, way: wayTo(engine) }));
  const wayOf = (input: Input) => {
    const name = tableOf(input)?.split('/').at(-1) ?? '';
    return elsewhere.find(({ tables }) => tables.includes(name))?.way ?? home;
  };
  return {
    send: (call, input) => wayOf(input).send(call, input),
    close: async () => {
      await Promise.all([home, ...elsewhere.map(({ way }) => way)].map((way) => way.close()));
    },
  };
}

/** The first table that a call names. */
function tableOf({ TableName, RequestItems, TransactItems }: Input): string | undefined {
  if (typeof TableName === 'string') return TableName;
  if (isRecord(RequestItems)) return Object.keys(RequestItems)[0];
  const [part] = Array.isArray(TransactItems) ? TransactItems : [];
  const [action] = isRecord(part) ? Object.values(part) : [];
  return isRecord(action) ? String(action.TableName) : undefined;
}

function wayTo(engine: TableGatewayOptions['engine']): Way {
  if (typeof engine === 'string') {
    const { post, close } = engineClient(engine);
    return {
      send: ({ operation, text, caller }) => post(operation, text, caller),
      close: async () => close(),
    };
  }
  const { call, close }: SqliteEngine = openSqliteEngine(engine);
  return { send: ({ operation }, input) => call(operation, input), close };
}

/** Whether a call may change items. */
const isWrite = (operation: string): boolean =>
  /Put|Update|Delete|Write|Statement|ExecuteTransaction/.test(operation);

/** Starts the gateway with both entry points: HTTP for everybody, and messages for functions of the given threads. */
export async function startTableGateway(
  options: TableGatewayOptions,
  controls: readonly MessagePort[] = [],
): Promise<JsonService> {
  const { handle, close } = openTableGateway(options);
  const isKnown = knows(options);
  for (const control of controls) serveMessagePorts(control, handle);
  const { endpoint, stop } = await startJsonService(
    async ({ operation, caller, body }) =>
      isKnown(caller) ? handle({ caller, operation, text: body.toString() }) : stranger(caller),
    options.port,
  );
  return { endpoint, stop: () => stop().finally(close) };
}

/** Returns the reason for refusing a call. */
function authorizer({ principals, tables, enforce, leadingKeys, observe }: TableGatewayOptions) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const denial = denialsOf(principals);
  return (operation: string, caller: string, input: Input): string | undefined => {
    const principal = principals.get(caller);
    if (!principal) return undefined;
    const needed = neededPermissions(operation, input, byName, leadingKeys);
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

/** Parses a body. The engine refuses those that aren't JSON. */
function parse(text: string): Input {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
