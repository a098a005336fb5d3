import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestOutcome } from '../../core/webhooks/delivery-store.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { find, requireWebhooks, type WebhookPlace } from './webhooks.ts';

/** Timeout in milliseconds: the sender waits ten seconds for a response, and its queue adds a moment. */
const timeoutMs = 45_000;

/** Makes the sender try a webhook once, regardless of its status. Throws OperatorError for a suspended project. */
export const testWebhook = async (deployment: Deployment, place: WebhookPlace): Promise<TestOutcome> => {
  const { project, id: webhook } = place;
  const { suspendedAt } = await findProject(deployment, project);
  await find(deployment, place);
  if (suspendedAt !== undefined) throw new OperatorError(`The project ${project} is suspended`);
  const test = randomUUID();
  await requireWebhooks(deployment).wake({ project, webhook, test });
  for (const until = Date.now() + timeoutMs; Date.now() < until; await delay(100)) {
    const outcome = await deployment.stores.deliveries.testOutcome(place, test);
    if (outcome) return outcome;
  }
  throw new OperatorError(
    `The sender has not tried the webhook ${webhook} within ${timeoutMs / 1000} seconds`,
  );
};
