import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { account } from '../assembly/intrinsics.ts';
import { defaultRegion } from '../assembly/template.ts';
import {
  type JsonService,
  refusal,
  type ServiceCall,
  serviceResponse,
  startJsonService,
} from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import { denialsOf } from '../iam/denials.ts';
import type { Principal } from '../iam/policy.ts';

export interface EventBridgeOptions {
  /** Principals by access key id. No other caller is allowed. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Folder for entries, one file per bus; without it, they are dropped. */
  readonly folder?: string | undefined;
  /** If false, every principal may put events onto every bus. */
  readonly enforce: boolean;
}

type Entry = Readonly<Record<string, unknown>>;

const mostEntries = 10;
const mostBytes = 256 * 1024;
const needed = ['Source', 'DetailType', 'Detail'];

/** Emulates PutEvents of EventBridge: every bus exists, and its entries are appended to a file. There are no rules. */
export function startEventBridge({ principals, folder, enforce }: EventBridgeOptions): Promise<JsonService> {
  const denial = enforce ? denialsOf(principals) : () => undefined;
  return startJsonService(async ({ operation, caller, body }: ServiceCall) => {
    if (!principals.has(caller))
      return refused('UnrecognizedClientException', 'Only functions of this stack may call EventBridge here');
    if (operation !== 'PutEvents')
      return refused('UnknownOperationException', 'The local stack knows PutEvents of EventBridge alone');
    const input: unknown = JSON.parse(body.toString());
    const entries = isRecord(input) && Array.isArray(input.Entries) ? input.Entries.filter(isRecord) : [];
    if (entries.length === 0 || entries.length > mostEntries)
      return refused('ValidationException', `Entries must be a list of 1 to ${mostEntries}`);
    const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(String(entry.Detail)), 0);
    if (bytes > mostBytes) return refused('ValidationException', 'Total size of the entries is too large');
    for (const entry of entries) {
      const denied = denial(caller, { action: 'events:PutEvents', resource: arnOf(busOf(entry)) });
      if (denied !== undefined) return refused('AccessDeniedException', denied);
    }
    const Entries = entries.map((entry, i) => {
      const fault = faultOf(entry);
      if (fault !== undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: fault };
      if (folder !== undefined) keep(folder, entry);
      return { EventId: `local-${i}` };
    });
    return serviceResponse({
      FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode).length,
      Entries,
    });
  });
}

const refused = (type: string, message: string) => refusal({ type, message });

const busOf = ({ EventBusName }: Entry): string => String(EventBusName ?? 'default');

const arnOf = (bus: string): string =>
  bus.startsWith('arn:') ? bus : `arn:aws:events:${defaultRegion}:${account}:event-bus/${bus}`;

function faultOf(entry: Entry): string | undefined {
  const missing = needed.find((name) => typeof entry[name] !== 'string' || entry[name] === '');
  if (missing !== undefined) return `${missing} is missing`;
  try {
    return isRecord(JSON.parse(String(entry.Detail))) ? undefined : 'Detail is malformed.';
  } catch {
    return 'Detail is malformed.';
  }
}

function keep(folder: string, entry: Entry): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = busOf(entry).split('/').at(-1) ?? '';
  appendFileSync(join(folder, `${name}.ndjson`), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}
