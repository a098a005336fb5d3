import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../support/listen.ts';

/** The fate of one request. `carriedOut`: the service acts on it before the answer gets lost. */
export interface Scene {
  readonly answer: 'success' | 'reset' | 'hang' | 'half' | 'text' | number;
  readonly carriedOut: boolean;
  readonly retryAfter?: string | undefined;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

export interface ScriptedApi {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** How many things were made: one for each Idempotency-Key, and one for each creation without. */
  made(): number;
  /** Begins anew: scenes for the requests to come. Those after the last succeed. */
  play(scenes: readonly Scene[], onHang: () => void): void;
  stop(): Promise<void>;
}

const success: Scene = { answer: 'success', carriedOut: true };

/** An API that answers as a test wants, in ways that no running service does. */
export const startScriptedApi = async (): Promise<ScriptedApi> => {
  let scenes: readonly Scene[] = [];
  let onHang: () => void = () => undefined;
  let made = new Set<string>();
  const { endpoint, stop } = await listen(async (incoming, outgoing) => {
    const request = await requestOf(incoming);
    const scene = scenes[api.seen.push(request) - 1] ?? success;
    const { answer, retryAfter, location } = scene;
    if (scene.carriedOut && request.method === 'POST')
      made.add(request.idempotencyKey ?? `request ${api.seen.length}`);
    if (answer === 'hang') return onHang();
    if (answer === 'reset') return void incoming.socket.resetAndDestroy();
    if (retryAfter !== undefined) outgoing.setHeader('retry-after', retryAfter);
    if (location !== undefined) outgoing.setHeader('location', location);
    send(outgoing, answer);
  });
  const api: ScriptedApi = {
    url: endpoint,
    seen: [],
    made: () => made.size,
    play: (given, whenHanging) => {
      scenes = given;
      onHang = whenHanging;
      made = new Set();
      api.seen.length = 0;
    },
    stop,
  };
  return api;
};

const send = (outgoing: ServerResponse, answer: Exclude<Scene['answer'], 'reset' | 'hang'>): void => {
  const status = typeof answer === 'number' ? answer : 200;
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  const data = { code: 'abc', created: 1, failed: 0, results: [], status: 'ACTIVE', updatedAt: 'now' };
  if (answer === 'half') {
    // The connection ends before the body does.
    outgoing.write('{"success": tr', () => outgoing.socket?.resetAndDestroy());
  } else if (answer === 'text') outgoing.end('<html>');
  else if (answer === 'success') outgoing.end(JSON.stringify({ success: true, data }));
  else outgoing.end(JSON.stringify({ success: false, error: { code: `E${status}`, message: 'no' } }));
};

const requestOf = async (incoming: IncomingMessage): Promise<SeenRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = incoming;
  return {
    method,
    path: url,
    key: headers['x-api-key'] as string | undefined,
    idempotencyKey: headers['idempotency-key'] as string | undefined,
    body: Buffer.concat(chunks).toString(),
  };
};
