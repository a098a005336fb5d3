import type { EventSourceMapping, QueueMapping, QueueResource, TableResource } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import { readQueueMapping } from './queues.ts';
import type { Resources } from './resources.ts';
import { readStreamMapping } from './tables.ts';

interface Sources {
  readonly tables: readonly TableResource[];
  readonly queues: readonly QueueResource[];
}

interface Mappings {
  readonly mappings: readonly EventSourceMapping[];
  readonly queueMappings: readonly QueueMapping[];
}

/** Event source mappings by the kind of their source. */
export function readMappings(
  resources: Resources,
  { tables, queues }: Sources,
  functions: FunctionIndex,
): Mappings {
  const mappings: EventSourceMapping[] = [];
  const queueMappings: QueueMapping[] = [];
  for (const resource of resources.ofType('AWS::Lambda::EventSourceMapping')) {
    const { id, properties } = resource;
    if (properties.text('Enabled', 'true') === 'false') continue;
    const source = properties.text('EventSourceArn', '');
    const table = tables.find(({ streamArn }) => streamArn === source);
    const queue = queues.find(({ arn }) => arn === source);
    if (table) mappings.push(readStreamMapping(resource, table, functions));
    else if (queue) queueMappings.push(readQueueMapping(resource, queue, functions));
    else
      throw new Error(`${id}: ${source || 'its event source'} isn't a queue or the stream of a table here`);
  }
  return { mappings, queueMappings };
}
