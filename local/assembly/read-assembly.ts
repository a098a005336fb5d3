import type { Assembly } from './assembly.ts';
import { readDeliveryStreams } from './delivery-streams.ts';
import { readDistributions } from './distributions.ts';
import { indexFunctions, readFunctions } from './functions.ts';
import { localValues, readSecrets } from './local-values.ts';
import { readMappings } from './mappings.ts';
import { readQueues } from './queues.ts';
import { resolveResources } from './resources.ts';
import { readRestApis } from './rest-apis.ts';
import { readSchedules } from './schedules.ts';
import type { Secrets } from './secrets.ts';
import { readTables } from './tables.ts';
import { readTemplate } from './template.ts';

export interface AssemblyOptions {
  /** `host:port` on this machine of each REST API and distribution, by logical id. */
  readonly authorities: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
}

/**
 * Reads a synthesized assembly (a `cdk.out` folder). Skips what the local stack doesn't emulate. Throws an
 * Error with the logical id for a needed resource that can't be resolved.
 */
export function readAssembly(directory: string, { authorities, secrets }: AssemblyOptions): Assembly {
  const template = readTemplate(directory);
  const resources = resolveResources(template, authorities);
  const functions = indexFunctions(resources);
  const finish = localValues(resources, authorities, secrets);
  const tables = readTables(resources);
  const queues = readQueues(resources);
  const outputs = Object.entries(resources.outputs).map(([id, value]) => [id, finish(String(value))]);
  const assembly: Assembly = {
    functions: readFunctions({ resources, assets: template.assets, finish }),
    tables,
    queues,
    ...readMappings(resources, { tables, queues }, functions),
    apis: readRestApis({ resources, functions, authorities, secrets, finish }),
    distributions: readDistributions(resources, functions),
    deliveryStreams: readDeliveryStreams(resources),
    schedules: readSchedules(resources, functions),
    secrets: readSecrets(resources, secrets),
    outputs: Object.fromEntries(outputs),
  };
  refuseUnrunnable(assembly);
  return assembly;
}

function refuseUnrunnable(assembly: Assembly): void {
  const { functions, mappings, queueMappings, schedules, apis, distributions } = assembly;
  const runnable = new Set(functions.map(({ id }) => id));
  const called = [
    ...mappings,
    ...queueMappings,
    ...schedules,
    ...apis.flatMap(({ authorizers }) => authorizers),
    ...apis.flatMap(({ methods }) =>
      methods.flatMap(({ integration }) =>
        typeof integration === 'string' ? [{ functionId: integration }] : [],
      ),
    ),
    ...distributions.flatMap(({ origins }) => Object.values(origins)),
  ];
  const missing = called.find(({ functionId }) => !runnable.has(functionId));
  if (missing) throw new Error(`${missing.functionId}: only Node.js functions with bundled code run here`);
}
