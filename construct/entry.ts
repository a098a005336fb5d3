export { ConfigError } from '../lib/config-error.ts';
export { DynamicLinkStack } from '../lib/stack.ts';
