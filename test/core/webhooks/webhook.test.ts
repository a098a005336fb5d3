import { hears, newWebhookId, restoredState, webhookIdPattern } from '../../../core/webhooks/webhook.ts';

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);
const iso = (time: string) => `2026-11-22T${time}Z`;
const webhook = { createdAt: iso('10:00:00.000') };
const stops = [{ from: iso('11:00:00.000'), to: iso('12:00:00.000') }];

test.each([
  ['09:59:59.999', false],
  ['10:00:00.000', true],
  ['10:59:59.999', true],
  ['11:00:00.000', false],
  ['11:59:59.999', false],
  ['12:00:00.000', true],
])('an active webhook that was paused for an hour is told of %s: %s', (time, isHeard) => {
  expect(hears(webhook, { status: 'ACTIVE', stops }, at(time))).toBe(isHeard);
});

test('a stopped webhook is told of what happened before', () => {
  const state = { status: 'PAUSED', stoppedAt: iso('13:00:00.000'), stops } as const;
  expect(hears(webhook, state, at('12:59:59.999'))).toBe(true);
  expect(hears(webhook, state, at('13:00:00.000'))).toBe(false);
});

test('a webhook from a backup is told of nothing', () => {
  expect(hears(webhook, restoredState, at('13:00:00.000'))).toBe(false);
});

test('ids are long and have one form', () => {
  expect(newWebhookId()).toMatch(webhookIdPattern);
  expect(newWebhookId()).not.toBe(newWebhookId());
});
