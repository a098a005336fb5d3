import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { CacheBehavior, Distribution } from '../../assembly/assembly.ts';
import { type HttpServer, listen } from '../../base/http-server.ts';
import { createDistribution } from '../../cloudfront/distribution.ts';
import { invoker } from '../api-gateway/rest-api-server.ts';
import { type Received, type Sent, send } from '../http-client.ts';

export interface Edge {
  readonly send: (request: Sent) => Promise<Received>;
  readonly events: APIGatewayProxyEventV2[];
  /** The last event that reached the function. */
  readonly event: () => APIGatewayProxyEventV2;
  readonly server: HttpServer;
  readonly logged: string[];
}

const nothing = { headers: [], queryStrings: [], cookies: [] };

export const cachingDisabled = { ...nothing, minTtl: 0, defaultTtl: 0, maxTtl: 0 };

export function aBehavior(more: Partial<CacheBehavior> = {}): CacheBehavior {
  return {
    pathPattern: '*',
    functionId: 'Origin',
    originHost: 'origin.lambda-url.us-east-1.on.aws',
    originHeaders: {},
    allowedMethods: ['GET', 'HEAD'],
    cache: cachingDisabled,
    originRequest: nothing,
    responseHeaders: [],
    removedHeaders: [],
    ...more,
  };
}

const servers: HttpServer[] = [];

export async function serveDistribution(
  { behaviors = [aBehavior()], errorTtls = {}, errorPages = {} }: Partial<Distribution>,
  origin: (event: APIGatewayProxyEventV2) => unknown = () => 'ok',
): Promise<Edge> {
  const events: APIGatewayProxyEventV2[] = [];
  const logged: string[] = [];
  const invoke = invoker<APIGatewayProxyEventV2>({ Origin: origin }, (_, event) => events.push(event));
  const server = await listen({ port: 0 });
  servers.push(server);
  const distribution = {
    id: 'Distribution',
    isTemplate: false,
    aliases: [],
    behaviors,
    errorTtls,
    errorPages,
  };
  server.serve(createDistribution({ distribution, invoke, log: (text) => logged.push(text) }));
  return {
    server,
    events,
    logged,
    send: (request) => send(server.authority, request),
    event: () => {
      const event = events.at(-1);
      if (!event) throw new Error('the origin was not called');
      return event;
    },
  };
}

export async function stopDistributions(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
}
