import type { MessagePort } from 'node:worker_threads';
import type { TableResource } from '../assembly/assembly.ts';
import {
  type JsonService,
  jsonAnswer,
  refusal,
  type ServiceAnswer,
  startJsonService,
} from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import { engineClient } from '../engine/engine-client.ts';
import { type EmbeddedOptions, openEmbedded } from '../engine/embedded/embedded-engine.ts';
import { openEngineFile } from '../engine/engine-file.ts';
import {
  type EngineFileOptions,
  type EngineWrites,
  openEngineWrites,
} from '../engine/writes/engine-writes.ts';
import { type Callers, knows, stranger } from '../iam/callers.ts';
import { denialsOf, explain } from '../iam/denials.ts';
import type { Access } from '../iam/policy.ts';
import { keyNames } from '../tables/key-names.ts';
import { accessOf, type LeadingKeys } from './access.ts';
import { excessOf } from './limits.ts';
import { type Handle, openMessageDoor } from './message-door.ts';
import { shareCommits } from './shared-commits.ts';
import { type Input, isWrite, returnsOld } from './transaction-parts.ts';
import { writeCount } from './write-count.ts';

export interface TableGatewayOptions extends Callers {
  /** The engine's. */
  readonly endpoint: string;
  /** Set if the engine runs in this thread. */
  readonly embedded?: EmbeddedOptions;
  /** The gateway's own. @default a free one */
  readonly port?: number | undefined;
  readonly tables: readonly TableResource[];
  /** If false, every call passes; calls are still observed. */
  readonly enforce: boolean;
  /** @default 'part' */
  readonly leadingKeys?: LeadingKeys;
  /** Whether calls that wait share a commit. The engine must commit one write at a time and take none but this gateway's. */
  readonly sharesCommits?: boolean;
  /** The engine's, if it can be read beside it. */
  readonly file?: string;
  /** Set if plain writes are made in that file, too. */
  readonly writesBeside?: Omit<EngineFileOptions, 'file'>;
  /** Takes what an operator should know. */
  readonly log?: (text: string) => void;
  /** Counts the writes that pass. */
  readonly writes?: SharedArrayBuffer;
  /** Sees every call before it is made. */
  readonly watch?: (operation: string, input: Input) => void;
  /** Sees every permission that a principal's call asks for. */
  readonly observe?: (call: ObservedCall) => void;
}

/** A permission that a principal's call has asked for. */
export interface ObservedCall extends Pick<Access, 'action' | 'resource' | 'leadingKeys'> {
  readonly principal: string;
}

interface TableGateway {
  /** Takes a call of a caller that is known. */
  readonly handle: Handle;
  close(): Promise<void>;
}

/** The only way to the engine: refuses calls which the caller's policy doesn't allow. */
function openTableGateway(options: TableGatewayOptions): TableGateway {
  const { endpoint, tables, sharesCommits = false, file, writes } = options;
  const authorize = authorizer(options);
  const embedded = options.embedded && openEmbedded(options.embedded);
  const client = engineClient(endpoint);
  const withoutNewItem = newItems(tables);
  const opened = sharesCommits ? openEngineFile(file) : undefined;
  const beside = opened && openWrites(options);
  const shared = sharesCommits ? shareCommits({ client, file: opened, beside, tables }) : undefined;
  const count = writes && writeCount(writes);
  const handle: Handle = async ({ caller, operation, text }) => {
    const input = parse(text);
    options.watch?.(operation, input);
    const message = authorize(operation, caller, input);
    if (message !== undefined) return refusal({ type: 'AccessDeniedException', message });
    const excess = excessOf(operation, input);
    if (excess !== undefined) return refusal({ type: 'ValidationException', message: excess });
    const alone = () => client.post(operation, text, caller).then((answer) => withoutNewItem(answer, input));
    const answer = embedded
      ? embedded.call(operation, input)
      : shared
        ? shared({ operation, input, alone })
        : alone();
    // A failure, too: the engine may have made the write.
    return count && isWrite(operation) ? answer.finally(count.add) : answer;
  };
  const close = async () => {
    client.close();
    opened?.close();
    await beside?.close();
    await embedded?.close();
  };
  return { handle, close };
}

function openWrites({ file, writesBeside, log }: TableGatewayOptions): EngineWrites | undefined {
  if (file === undefined || !writesBeside) return undefined;
  const opened = openEngineWrites({ file, ...writesBeside });
  if (typeof opened === 'object') return opened;
  log?.(`The engine makes all writes, which takes more time: ${opened}`);
  return undefined;
}

/** The gateway with its two doors: HTTP for everybody, and messages for the functions of the given threads. */
export async function startTableGateway(
  options: TableGatewayOptions,
  controls: readonly MessagePort[] = [],
): Promise<JsonService> {
  const { handle, close } = openTableGateway(options);
  const isKnown = knows(options);
  for (const control of controls) openMessageDoor(control, handle);
  const { endpoint, stop } = await startJsonService(
    async ({ operation, caller, body }) =>
      isKnown(caller) ? handle({ caller, operation, text: body.toString() }) : stranger(caller),
    options.port,
  );
  return { endpoint, stop: () => stop().finally(close) };
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

/**
 * Drops old attributes that are keys alone: DynamoDB returns none for an item that a write creates, Dynoxide its keys. An
 * item that had nothing but its keys can't be told from it.
 */
function newItems(tables: readonly TableResource[]): (answer: ServiceAnswer, input: Input) => ServiceAnswer {
  const keys = new Map(tables.map((table) => [table.name, new Set(keyNames(table))]));
  return (answer, input) => {
    if (!returnsOld(input) || answer.status !== 200) return answer;
    const { Attributes, ...rest } = parse(answer.text);
    const own = keys.get(String(input.TableName));
    if (!isRecord(Attributes) || !Object.keys(Attributes).every((name) => own?.has(name))) return answer;
    return jsonAnswer(rest);
  };
}

/** Bodies that aren't JSON are left to the engine to refuse. */
function parse(text: string): Input {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
