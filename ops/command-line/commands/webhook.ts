import { type EventType, eventTypes, usualTypes } from '../../../core/events/event.ts';
import { UsageError } from '../../base/operator-error.ts';
import { choice, command, flag, optional, read, required, wholeNumber } from '../command.ts';

const library = () => import('../../webhooks/webhooks.ts');
const deliveries = () => import('../../webhooks/webhook-deliveries.ts');
const project = required('ID', 'the project whose events are sent');
const id = required('ID', "the webhook's id, as webhook list shows it");
const url = 'an https address, or eventbridge:NAME for a bus of the context key eventBuses';
/** Reads types with commas between them; `all` is everything. Throws UsageError for one that doesn't exist. */
const readEvents = (text: string): readonly EventType[] =>
  text === 'all'
    ? eventTypes
    : [...new Set(text.split(','))].map((name) => {
        const type = eventTypes.find((one) => one === name.trim());
        if (type) return type;
        throw new UsageError(`There is no event '${name}'; the events are ${eventTypes.join(', ')}, or all`);
      });
const events = read(
  {
    placeholder: 'A,B',
    description: `which events, or all (default: ${usualTypes.join(', ')})`,
  },
  readEvents,
);
const name = optional('TEXT', 'its display name');

type OneWebhook = 'showWebhook' | 'pauseWebhook' | 'activateWebhook' | 'deleteWebhook' | 'rotateWebhook';

/** A command about one webhook, without options of its own. */
const ofWebhook = (verb: string, act: OneWebhook, summary: string) =>
  command(`webhook ${verb}`, {
    summary,
    arguments: { id },
    options: { project },
    run: async (place, { deployment }): Promise<object> => (await library())[act](await deployment(), place),
  });

export const webhookCommands = [
  command('webhook create', {
    summary: 'Send events of a project to a receiver; the secret is shown only once',
    arguments: { url: required('URL', url) },
    options: { project, events, name },
    run: async ({ project, ...webhook }, { deployment }) =>
      (await library()).createWebhook(await deployment(), project, webhook),
  }),
  command('webhook list', {
    summary: "List a project's webhooks",
    options: { project },
    run: async ({ project }, { deployment }) => (await library()).listWebhooks(await deployment(), project),
  }),
  ofWebhook('show', 'showWebhook', 'Show a webhook and the state of its deliveries'),
  command('webhook update', {
    summary: "Change a webhook's URL, events or name; pending deliveries go to the new URL",
    arguments: { id },
    options: {
      project,
      url: optional('URL', url),
      events: { ...events, description: 'which events, or all' },
      name,
    },
    run: async ({ id, project, ...settings }, { deployment }) =>
      (await library()).updateWebhook(await deployment(), { project, id }, settings),
  }),
  ofWebhook(
    'pause',
    'pauseWebhook',
    'Pause a webhook: pending deliveries are kept for 30 days, and no new events are emitted',
  ),
  ofWebhook('activate', 'activateWebhook', 'Activate a webhook, and send its pending deliveries'),
  ofWebhook('delete', 'deleteWebhook', 'Delete a webhook and its pending deliveries'),
  ofWebhook(
    'rotate',
    'rotateWebhook',
    "Replace a webhook's secret; the previous one also signs for 24 hours",
  ),
  command('webhook test', {
    summary: 'Send a webhook.test event once and show the response',
    arguments: { id },
    options: { project },
    run: async (place, { deployment, fail }) => {
      const { testWebhook } = await import('../../webhooks/webhook-test.ts');
      const outcome = await testWebhook(await deployment(), place);
      const { status = 0 } = outcome;
      if (status < 200 || status > 299) fail();
      return outcome;
    },
  }),
  command('webhook deliveries', {
    summary: "List a webhook's deliveries of the last 30 days, newest first",
    arguments: { id },
    options: {
      project,
      status: choice(['pending', 'delivered', 'failed'], 'only deliveries of this status'),
      limit: wholeNumber('N', 'how many at most (default: 50)', 1),
    },
    run: async ({ id, project, ...filter }, { deployment }) =>
      (await deliveries()).listDeliveries(await deployment(), { project, id }, filter),
  }),
  command('webhook resend', {
    summary: 'Resend an event to a webhook, or all that failed; attempts start over',
    arguments: { id },
    options: {
      project,
      event: optional('EVT', "the event's id, as webhook deliveries shows it"),
      failed: flag('all deliveries that failed'),
    },
    run: async ({ id, project, ...which }, { deployment }) =>
      (await deliveries()).resendDeliveries(await deployment(), { project, id }, which),
  }),
];
