import type { QueueResource } from '../../assembly/assembly.ts';
import { Queue, type QueueOptions } from '../../sqs/queue.ts';

export const aQueueResource = ({
  name = 'queue',
  ...changes
}: Partial<QueueResource> = {}): QueueResource => ({
  id: 'Queue',
  name,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  url: `https://sqs.us-east-1.amazonaws.com/000000000000/${name}`,
  visibilitySeconds: 30,
  retentionSeconds: 600,
  delaySeconds: 0,
  maximumBytes: 1024,
  ...changes,
});

/** A queue with a clock that the test moves. */
export function aQueue(changes: Partial<QueueResource> = {}, options: Partial<QueueOptions> = {}) {
  const clock = { now: Date.parse('2026-03-04T05:06:07Z') };
  const resource = aQueueResource(changes);
  const queue = new Queue({ resource, now: () => clock.now, ...options });
  return { queue, clock };
}

export const bodiesOf = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body);
