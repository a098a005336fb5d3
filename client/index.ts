export type { CallOptions, RateLimit, RequestContent, ResponseFacts, Settings } from './connection.ts';
export { DynamicLinks } from './dynamic-links.ts';
export { DynamicLinksError, type ErrorCode, type Fault } from './failures.ts';
export type * from './types.ts';
export {
  type AppOpen,
  type Click,
  type EventData,
  type EventLink,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  WebhookVerificationError,
} from './webhook.ts';
