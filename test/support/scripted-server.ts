import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The response to a call: a result, DynamoDB's refusal, a closed connection, or nothing. */
export type Script = object | { readonly refused: string } | 'reset' | 'hang';

export interface ScriptedCall {
  readonly headers: IncomingMessage['headers'];
  readonly operation: string;
  readonly input: Record<string, unknown>;
  /** Counts connections from 1 on. */
  readonly connection: number;
}

export interface ScriptedServer {
  readonly endpoint: string;
  readonly calls: ScriptedCall[];
  /** Decides about every call from now on. */
  answer: (call: ScriptedCall) => Script | Promise<Script>;
  stop(): Promise<void>;
}

/** A scripted DynamoDB, for behaviour that no engine can be made to show. */
export const startScriptedServer = async (): Promise<ScriptedServer> => {
  const connections = new Map<Socket, number>();
  const server = createServer(async (incoming, outgoing) => {
    const { headers } = incoming;
    const call: ScriptedCall = {
      headers,
      operation: String(headers['x-amz-target']).split('.').at(-1) ?? '',
      input: JSON.parse(await textOf(incoming)),
      connection: connections.get(incoming.socket) ?? 0,
    };
    scripted.calls.push(call);
    const script = await scripted.answer(call);
    if (script === 'hang') return;
    if (script === 'reset') return void incoming.socket.resetAndDestroy();
    const { refused, ...fields } = script as { refused?: string };
    const status = refused ? (refused.startsWith('Internal') ? 500 : 400) : 200;
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    const __type = `com.amazonaws.dynamodb.v20120810#${refused}`;
    outgoing.end(JSON.stringify(refused ? { __type, message: refused, ...fields } : fields));
  });
  server.on('connection', (socket: Socket) => connections.set(socket, connections.size + 1));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scripted: ScriptedServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: () => ({}),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return scripted;
};

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};
