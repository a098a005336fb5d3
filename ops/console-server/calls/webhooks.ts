import * as z from 'zod';
import { limits } from '../../../core/base/limits.ts';
import { eventDescriptions, eventTypes, usualTypes } from '../../../core/events/event.ts';
import { deliveryTexts, listDeliveries, resendDeliveries } from '../../webhooks/webhook-deliveries.ts';
import { testWebhook } from '../../webhooks/webhook-test.ts';
import {
  activateWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
  rotateWebhook,
  showWebhook,
  updateWebhook,
} from '../../webhooks/webhooks.ts';
import { consoleCall, id } from '../call.ts';
import { project } from './projects.ts';

const one = z.object({ project, id });
const settings = z.object({
  url: z.string(),
  events: z.array(z.enum(eventTypes as [(typeof eventTypes)[number]])).min(1, 'choose one at least'),
  /** Empty for none. */
  name: z.string().max(limits.name),
});
const statuses = ['pending', 'delivered', 'failed'] as const;

export const webhookCalls = {
  /** A project's webhooks, and the event types for a new one. */
  webhooks: consoleCall(z.object({ project }), async (input, { deployment }) => ({
    webhooks: await listWebhooks(deployment, input.project),
    types: eventTypes,
    words: eventDescriptions,
    usual: usualTypes,
  })),

  webhook: consoleCall(one, async (place, { deployment }) => ({
    ...(await showWebhook(deployment, place)),
    types: eventTypes,
    words: eventDescriptions,
  })),

  /** Only this response contains the secret. */
  createWebhook: consoleCall(
    one.omit({ id: true }).extend(settings.shape),
    ({ project, ...given }, { deployment }) =>
      createWebhook(deployment, project, { ...given, name: given.name || undefined }),
  ),

  updateWebhook: consoleCall(
    one.extend(settings.partial().shape),
    ({ project, id, ...given }, { deployment }) => updateWebhook(deployment, { project, id }, given),
  ),

  setWebhookStatus: consoleCall(
    one.extend({ isActive: z.boolean() }),
    ({ isActive, ...place }, { deployment }) =>
      (isActive ? activateWebhook : pauseWebhook)(deployment, place),
  ),

  /** Only this response contains the new secret. */
  rotateWebhook: consoleCall(one, (place, { deployment }) => rotateWebhook(deployment, place)),

  testWebhook: consoleCall(one, (place, { deployment }) => testWebhook(deployment, place)),

  deleteWebhook: consoleCall(one, (place, { deployment }) => deleteWebhook(deployment, place)),

  deliveries: consoleCall(
    one.extend({ status: z.enum(['', ...statuses]), limit: z.number().int().min(1).max(1000) }),
    ({ status, limit, ...place }, { deployment }) =>
      listDeliveries(deployment, place, { status: status === '' ? undefined : status, limit }),
  ),

  delivery: consoleCall(one.extend({ event: id }), ({ event, ...place }, { deployment }) =>
    deliveryTexts(deployment, place, event),
  ),

  /** Resends one event, or all failed ones. */
  resendDeliveries: consoleCall(one.extend({ event: id.optional() }), ({ event, ...place }, { deployment }) =>
    resendDeliveries(deployment, place, event === undefined ? { failed: true } : { event }),
  ),
};
