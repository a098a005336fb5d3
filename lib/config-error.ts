/** An invalid setting; the message names it and the values that it accepts. */
export class ConfigError extends Error {}
