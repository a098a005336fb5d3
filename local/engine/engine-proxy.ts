import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import {
  bytesOf,
  type JsonService,
  type PassedResponse,
  type ServiceCall,
  type ServiceResponse,
  startJsonService,
} from '../base/json-service.ts';

export type EngineResponse = ServiceResponse | PassedResponse;

/**
 * Handles a call between a caller and the engine: forwards it (unchanged or with another body), responds in
 * the engine's place, or hangs up. If the promise never settles, the caller gets no response.
 */
export type Intercept = (
  call: ServiceCall,
  forward: (body?: Buffer) => Promise<PassedResponse>,
) => Promise<EngineResponse | 'hang up'>;

/** Serves an engine's API, with every call going through `intercept`. */
export async function startEngineProxy(engine: string, intercept: Intercept): Promise<JsonService> {
  const agent = new Agent({ keepAlive: true });
  const { endpoint, stop } = await startJsonService((call, incoming) =>
    intercept(call, (body = call.body) => forward({ engine, agent, incoming, body })),
  );
  return { endpoint, stop: () => stop().finally(() => agent.destroy()) };
}

interface Forwarded {
  readonly engine: string;
  readonly agent: Agent;
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

/** Bytes and headers go through as they are: the SDK checks the response's x-amz-crc32. */
async function forward({ engine, agent, incoming, body }: Forwarded): Promise<PassedResponse> {
  // The engine, or a proxy in front of it, is called by its own name.
  const { connection: _, 'transfer-encoding': __, host: ___, ...headers } = incoming.headers;
  headers['content-length'] = String(body.length);
  const upstream = request(engine, { method: incoming.method, path: incoming.url, headers, agent });
  const answered = once(upstream, 'response');
  upstream.end(body);
  const [response] = (await answered) as [IncomingMessage];
  const answer = await bytesOf(response);
  const { connection: ____, 'keep-alive': _____, 'transfer-encoding': ______, ...kept } = response.headers;
  return {
    status: response.statusCode ?? 502,
    headers: { ...kept, 'content-length': String(answer.length) },
    body: answer,
  };
}
