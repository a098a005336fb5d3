import { join } from 'node:path';
import { type AddressOptions, portOf, type Servers, StackAddresses, serverOf } from './addresses.ts';
import { createRestApi, integrationTimeoutMs } from './api-gateway/rest-api.ts';
import type { Assembly, Distribution, FunctionResource, TableResource } from './assembly/assembly.ts';
import { readAssembly } from './assembly/read-assembly.ts';
import { keepSecrets } from './assembly/secrets.ts';
import { createDistribution } from './cloudfront/distribution.ts';
import { createSharedAddress, type TenantOf } from './cloudfront/tenant-hosts.ts';
import type { EngineOptions } from './engine/engine.ts';
import { startEventSources } from './event-sources.ts';
import { accessKeyOf } from './lambda/access-key.ts';
import { createLambdaRuntime, type Invoke, type LambdaRuntime } from './lambda/runtime.ts';
import { type Redelivery, withQueues } from './sqs/queues.ts';
import type { TableGatewayOptions } from './table-gateway/gateway.ts';
import { principalsOf, type StopPart, startTables, type TableServices } from './table-services.ts';

export type * from './assembly/assembly.ts';
export type { EngineOptions } from './engine/engine.ts';
export type { EngineProgram } from './engine/engine-program.ts';

export interface StackOptions extends AddressOptions {
  /** The `cdk.out` folder. */
  readonly assembly: string;
  /** Folder for everything that survives a restart; without it, nothing does. */
  readonly data?: string | undefined;
  readonly engine?: EngineOptions['engine'];
  /**
   * Called for every host that isn't an address or an alias, if the app has a distribution only for tenants, which
   * serves them at the ports of the others. @default no host is a tenant
   */
  readonly tenantOf?: TenantOf;
  /** Variables for every function, beyond what the template gives it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether functions' calls to the stack's services are checked against their roles. @default true */
  readonly enforceIam?: boolean;
  /** The keys in a role's condition for each write of a transaction: its own, or all. @default 'part' */
  readonly leadingKeys?: TableGatewayOptions['leadingKeys'];
  /** Receives every permission that a function's table call needs; only while IAM is enforced. */
  readonly observe?: TableGatewayOptions['observe'];
  /**
   * Access key id of the operator, who may do anything with tables and queues. If set, other programs on this machine
   * have no access. @default any caller that isn't a function is the operator
   */
  readonly operatorKey?: string;
  /** How queues simulate at-least-once delivery. @default one in 20 messages is delivered twice */
  readonly redelivery?: Redelivery;
  /** Receives the output of functions and CloudFront Functions, with the name of its source. */
  readonly log: (source: string, text: string) => void;
}

export interface LocalStack {
  /** URLs by logical id. */
  readonly apis: Readonly<Record<string, string>>;
  readonly distributions: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** The DynamoDB endpoint for an operator, who may do anything. */
  readonly endpoint: string;
  /** The SQS endpoint for an operator; undefined if the app has no queues. */
  readonly sqsEndpoint: string | undefined;
  readonly tables: readonly TableResource[];
  readonly assembly: Assembly;
  readonly invoke: Invoke;
  /** Resolves, with the reason, when the stack can't continue. */
  readonly died: Promise<string>;
  /**
   * Stops as `stop` does and continues with another assembly at the same addresses, where requests wait meanwhile. If
   * it rejects, nothing runs until the next call.
   */
  replace(assembly: string): Promise<LocalStack>;
  /** Lets running requests finish, then ends everything; safe to call twice. */
  stop(): Promise<void>;
}

/** Runs a synthesized stack on this machine. Resolves when requests succeed; fails without leaving anything behind. */
export async function startStack(options: StackOptions): Promise<LocalStack> {
  const addresses = new StackAddresses(options);
  try {
    return await startAt(addresses, options);
  } catch (error) {
    await addresses.stop(0);
    throw error;
  }
}

interface AtPorts extends StackOptions {
  readonly tablesPort?: number;
  readonly queuesPort?: number | undefined;
}

async function startAt(addresses: StackAddresses, options: AtPorts): Promise<LocalStack> {
  // In the order of starting; stopping takes them from the end.
  const started: StopPart[] = [];
  const stop = once(() => stopAll(started.reverse()));
  try {
    const servers = await addresses.of(options.assembly);
    const assembly = readAssembly(options.assembly, {
      authorities: Object.fromEntries([...servers].map(([id, { authority }]) => [id, authority])),
      secrets: keepSecrets(options.data && join(options.data, 'secrets.json')),
    });
    const data = await startTables(assembly, options, started);
    const environment = {
      ...options.environment,
      ...(await startServices(assembly, data.secret, options, started)),
    };
    const functions = assembly.functions.map((one) => ({
      ...one,
      environment: { ...one.environment, ...environment },
    }));
    const followers = await startEventSources(assembly, data, { ...options, functions });
    started.push(followers.stop);
    const { sqsEndpoint } = followers.started;
    const all = sqsEndpoint === undefined ? functions : withQueues(functions, sqsEndpoint);
    const lambda = openFunctions(all, data, options, started);
    serveAll(assembly, servers, lambda.invoke, options);
    const urls = (list: readonly { readonly id: string }[]) =>
      Object.fromEntries(list.map(({ id }) => [id, serverOf(servers, id).url]));
    return {
      apis: urls(assembly.apis),
      distributions: urls(assembly.distributions.filter(({ isTemplate }) => !isTemplate)),
      outputs: assembly.outputs,
      endpoint: data.endpoint,
      sqsEndpoint,
      tables: assembly.tables,
      assembly,
      invoke: lambda.invoke,
      died: Promise.race([data.died, followers.died]),
      replace: async (next) => {
        await addresses.pause();
        await stop();
        const queuesPort = sqsEndpoint === undefined ? undefined : portOf(sqsEndpoint);
        const ports = { tablesPort: portOf(data.endpoint), queuesPort };
        return startAt(addresses, { ...options, ...ports, assembly: next });
      },
      stop: async () => {
        await addresses.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts the services that the app uses besides its tables: Firehose for delivery streams, EventBridge and Secrets
 * Manager for functions that call them. Resolves to environment variables with their endpoints.
 */
async function startServices(
  { deliveryStreams: streams, functions, secrets }: Assembly,
  secret: string,
  { data, enforceIam: enforce = true }: StackOptions,
  started: StopPart[],
): Promise<Readonly<Record<string, string>>> {
  const principals = principalsOf(functions, secret);
  const endpoints: Record<string, string> = {};
  const add = (name: string, { endpoint, stop }: { readonly endpoint: string; readonly stop: StopPart }) => {
    started.push(stop);
    endpoints[`AWS_ENDPOINT_URL_${name}`] = endpoint;
  };
  if (streams.length > 0) {
    const { startFirehose } = await import('./firehose/endpoint.ts');
    add(
      'FIREHOSE',
      await startFirehose({ streams, principals, folder: data && join(data, 'export'), enforce }),
    );
  }
  if (needs(functions, 'events:PutEvents')) {
    const { startEventBridge } = await import('./event-bridge/endpoint.ts');
    add('EVENTBRIDGE', await startEventBridge({ principals, folder: data && join(data, 'events'), enforce }));
  }
  if (needs(functions, 'secretsmanager:GetSecretValue')) {
    const { startSecretsManager } = await import('./secrets-manager.ts');
    add('SECRETS_MANAGER', await startSecretsManager({ secrets, principals, enforce }));
  }
  return endpoints;
}

const needs = (functions: readonly FunctionResource[], action: string): boolean =>
  functions.some(({ statements }) => statements.some(({ Action = [] }) => [Action].flat().includes(action)));

/** Opens the functions. Each loads at its first invocation, as in Lambda: few are called soon after a start. */
function openFunctions(
  functions: readonly FunctionResource[],
  { endpoint, controls, secret }: TableServices,
  { log }: StackOptions,
  started: StopPart[],
): LambdaRuntime {
  const tables = { endpoint, control: controls.main };
  const lambda = createLambdaRuntime({
    functions,
    tables,
    principalOf: (id) => accessKeyOf(id, secret),
    log,
  });
  started.push(lambda.stop);
  return lambda;
}

function serveAll(
  { apis, distributions, functions }: Assembly,
  servers: Servers,
  invoke: Invoke,
  { log, tenantOf = async () => undefined }: StackOptions,
): void {
  const slow = new Set(
    functions
      .filter(({ timeoutSeconds }) => timeoutSeconds * 1000 > integrationTimeoutMs)
      .map(({ id }) => id),
  );
  for (const api of apis) {
    serverOf(servers, api.id).serve(createRestApi({ api, invoke, isSlow: (id) => slow.has(id) }));
  }
  const listenerOf = (distribution: Distribution) =>
    createDistribution({ distribution, invoke, log: (text) => log(distribution.id, text) });
  const templates = new Map(
    distributions.filter(({ isTemplate }) => isTemplate).map((one) => [one.id, listenerOf(one)]),
  );
  for (const own of distributions.filter(({ isTemplate }) => !isTemplate)) {
    const { authority, serve } = serverOf(servers, own.id);
    const serveOwn = listenerOf(own);
    const shared = {
      authority,
      own,
      serveOwn,
      templates,
      tenantOf,
      log: (text: string) => log(own.id, text),
    };
    serve(templates.size === 0 ? serveOwn : createSharedAddress(shared));
  }
}

/** Stops all parts, even if one of them fails to stop. */
async function stopAll(stops: readonly StopPart[]): Promise<void> {
  const problems: unknown[] = [];
  for (const end of stops) {
    try {
      await end();
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
