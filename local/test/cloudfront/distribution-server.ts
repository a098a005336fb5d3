import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { CacheBehavior, Distribution, Origin } from '../../assembly/assembly.ts';
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
    originId: 'Origin',
    allowedMethods: ['GET', 'HEAD'],
    cache: cachingDisabled,
    originRequest: nothing,
    responseHeaders: [],
    removedHeaders: [],
    ...more,
  };
}

export const anOrigin = (more: Partial<Origin> = {}): Origin => ({
  functionId: 'Origin',
  host: 'origin.lambda-url.us-east-1.on.aws',
  headers: {},
  readTimeoutSeconds: 30,
  isElsewhere: false,
  ...more,
});

type Answer = (event: APIGatewayProxyEventV2) => unknown;

const servers: HttpServer[] = [];

export async function serveDistribution(
  {
    origins = { Origin: anOrigin() },
    behaviors = [aBehavior()],
    errorTtls = {},
    errorPages = {},
  }: Partial<Distribution>,
  origin: Answer = () => 'ok',
  second: Answer = () => 'from the second',
): Promise<Edge> {
  const events: APIGatewayProxyEventV2[] = [];
  const logged: string[] = [];
  const invoke = invoker<APIGatewayProxyEventV2>({ Origin: origin, Second: second }, (_, event) =>
    events.push(event),
  );
  const server = await listen({ port: 0 });
  servers.push(server);
  const distribution = {
    id: 'Distribution',
    isTemplate: false,
    aliases: [],
    origins,
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
