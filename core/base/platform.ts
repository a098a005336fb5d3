/** Platforms of devices; `web` is anything other than a known phone or tablet. */
export const platforms = ['ios', 'android', 'web'] as const;
export type Platform = (typeof platforms)[number];
