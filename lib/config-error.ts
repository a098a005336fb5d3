/** A choice that can't be used; the message names the setting and what it accepts. */
export class ConfigError extends Error {}
