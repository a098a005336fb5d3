import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What goes wrong with one call: nothing, it is refused for its rate, it is made and its answer is lost, or nobody
 * ever answers.
 */
export type CallFault = 'none' | 'throttle' | 'lose-answer' | 'hang';

export interface FaultyEngine {
  readonly endpoint: string;
  /** Decides about every call from now on. */
  fault: (operation: string) => CallFault;
  stop(): Promise<void>;
}

/** Stands before an engine and lets calls fail as the network and DynamoDB do. */
export const startFaultyEngine = async (endpoint: string): Promise<FaultyEngine> => {
  const agent = new Agent({ keepAlive: true });
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await read(incoming);
    const fault = faulty.fault(String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '');
    if (fault === 'throttle') return refuse(outgoing);
    if (fault === 'hang') return;
    const upstream = request(endpoint, { method: 'POST', agent, headers: { ...incoming.headers } });
    const answered = once(upstream, 'response');
    upstream.end(body);
    const [answer] = (await answered) as [IncomingMessage];
    const bytes = await read(answer);
    if (fault === 'lose-answer') incoming.socket.destroy();
    else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const faulty: FaultyEngine = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => 'none',
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
  return faulty;
};

const refuse = (outgoing: ServerResponse) => {
  const type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: type, message: 'The level of throughput is exceeded' }));
};

const read = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
