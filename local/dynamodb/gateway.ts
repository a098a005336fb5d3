import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import type { TableResource } from '../assembly.ts';
import { type Access, accessOf } from './access.ts';
import { type Decision, type Policy, type Principal, policyOf } from './policy.ts';

export interface TableGatewayOptions {
  /** The engine's. */
  readonly endpoint: string;
  /** By access key id. A caller with another one is the operator, who may do anything. */
  readonly principals: ReadonlyMap<string, Principal>;
  readonly tables: readonly TableResource[];
  /** False lets everything pass; calls are observed all the same. */
  readonly enforce: boolean;
  /** Sees every permission that a principal's call asks for. */
  readonly observe?: (call: { principal: string; action: string; resource: string }) => void;
}

export interface TableGateway {
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Refusal {
  readonly access: Access;
  readonly decision: Decision;
}

/** Stands before the engine and refuses what the caller's policy does not allow. */
export async function startTableGateway(options: TableGatewayOptions): Promise<TableGateway> {
  const authorize = authorizer(options);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error) => {
      if (!outgoing.headersSent) fail(outgoing, 500, 'InternalServerError', String(error));
      else outgoing.destroy();
    });
  });
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bytes(incoming);
    const refusal = authorize(incoming, body);
    if (refusal) fail(outgoing, 400, 'AccessDeniedException', refusal);
    else await forward(options.endpoint, agent, incoming, body, outgoing);
  };
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    agent.destroy();
  };
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}

/** Tells why a call is refused. */
function authorizer({ principals, tables, enforce, observe }: TableGatewayOptions) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const policies = new Map([...principals].map(([key, principal]) => [key, policyOf(principal)]));
  return (incoming: IncomingMessage, body: Buffer): string | undefined => {
    const key = /Credential=([^/,\s]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    const principal = principals.get(key);
    const policy = policies.get(key);
    if (!principal || !policy) return undefined;
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const needed = accessOf(operation, parse(body), byName);
    for (const { action, resource } of needed ?? [])
      observe?.({ principal: principal.name, action, resource });
    if (!enforce) return undefined;
    const refusal = firstRefusal(operation, needed, policy);
    return refusal && explain(principal, refusal);
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

function explain(principal: Principal, { access, decision }: Refusal): string {
  const account = access.resource.split(':')[4] || '000000000000';
  const user = `arn:aws:sts::${account}:assumed-role/${principal.name}/${principal.name}`;
  const denial = `User: ${user} is not authorized to perform: ${access.action} on resource: ${access.resource}`;
  if (decision.kind === 'denied by a statement')
    return `${denial} with an explicit deny in an identity-based policy`;
  if (decision.kind === 'undecided')
    return `${denial} because the local stack can't decide it: ${decision.reason}`;
  return `${denial} because no identity-based policy allows the ${access.action} action`;
}

function fail(outgoing: ServerResponse, status: number, type: string, message: string): void {
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message });
  outgoing.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
    'x-amz-crc32': crc32(body),
  });
  outgoing.end(body);
}

/** Bytes and headers go through as they are: the SDK checks the answer's x-amz-crc32. */
async function forward(
  endpoint: string,
  agent: Agent,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const { connection: _, 'transfer-encoding': __, ...headers } = incoming.headers;
  headers['content-length'] = String(body.length);
  const upstream = request(endpoint, { method: incoming.method, path: incoming.url, headers, agent });
  const answered = once(upstream, 'response');
  upstream.end(body);
  const [response]: IncomingMessage[] = await answered;
  if (!response) return;
  const answer = await bytes(response);
  const { connection: ___, 'keep-alive': ____, 'transfer-encoding': _____, ...kept } = response.headers;
  outgoing.writeHead(response.statusCode ?? 502, { ...kept, 'content-length': answer.length });
  outgoing.end(answer);
}

function bytes(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}

/** What isn't JSON is the engine's to refuse. */
function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
