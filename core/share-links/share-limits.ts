/** Limits of share links: their templates, and what a request may contain. */
export const shareLimits = {
  bytes: 8 * 1024,
  title: 80,
  description: 200,
  parameters: 10,
  parameter: 100,
  imageHosts: 10,
  tags: 3,
  days: { min: 1, max: 3650, default: 90 },
  perHour: { min: 1, max: 50_000, default: 5000 },
  maxLinks: { min: 1, max: 10_000_000, default: 100_000 },
  keysPerProject: 20,
} as const;
