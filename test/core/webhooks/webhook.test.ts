import { newWebhookId, webhookIdPattern } from '../../../core/webhooks/webhook.ts';

test('ids are long and have one form', () => {
  expect(newWebhookId()).toMatch(webhookIdPattern);
  expect(newWebhookId()).not.toBe(newWebhookId());
});
