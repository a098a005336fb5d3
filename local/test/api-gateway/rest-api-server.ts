import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createRestApi } from '../../api-gateway/rest-api.ts';
import type { ApiMethod, RestApi } from '../../assembly/assembly.ts';
import { type HttpServer, listen } from '../../base/http-server.ts';
import type { InvocationResult } from '../../lambda/runtime.ts';
import { type Received, type Sent, send } from '../http-client.ts';

/** Events of authorizers also have most of these members. */
export type Event = APIGatewayProxyEvent;

export interface Call {
  readonly functionId: string;
  readonly event: Event;
}

export interface Answering {
  readonly send: (request: Sent) => Promise<Received>;
  readonly calls: Call[];
  /** The events of one function, in order. */
  readonly events: (functionId: string) => Event[];
  readonly server: HttpServer;
}

export type Functions = Readonly<Record<string, (event: Event) => unknown>>;

export function aMethod(path: string, more: Partial<ApiMethod> = {}): ApiMethod {
  return { httpMethod: 'GET', path, integration: 'Echo', apiKeyRequired: false, ...more };
}

/** Runs plain functions as Lambdas; a thrown error is the Lambda's. */
export function invoker<E>(
  functions: Readonly<Record<string, (event: E) => unknown>>,
  note: (functionId: string, event: E) => void,
) {
  return async (functionId: string, event: unknown): Promise<InvocationResult> => {
    const copy: E = JSON.parse(JSON.stringify(event));
    note(functionId, copy);
    try {
      const result = await functions[functionId]?.(copy);
      return { ok: true, payload: JSON.parse(JSON.stringify(result ?? null)) };
    } catch (error) {
      return { ok: false, errorType: 'Error', errorMessage: (error as Error).message };
    }
  };
}

const servers: HttpServer[] = [];

export async function serveApi(api: Partial<RestApi>, functions: Functions): Promise<Answering> {
  const calls: Call[] = [];
  const whole: RestApi = {
    id: 'Api',
    stageName: 'prod',
    apiKeySource: 'HEADER',
    binaryMediaTypes: [],
    methods: [aMethod('/')],
    authorizers: [],
    gatewayResponses: {},
    planKeys: [],
    ...api,
  };
  const server = await listen({ port: 0 });
  servers.push(server);
  const invoke = invoker(functions, (functionId, event) => calls.push({ functionId, event }));
  server.serve(createRestApi({ api: whole, invoke }));
  return {
    server,
    calls,
    send: (request) => send(server.authority, request),
    events: (id) => calls.filter(({ functionId }) => functionId === id).map(({ event }) => event),
  };
}

export async function stopServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
}
