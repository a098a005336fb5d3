/** What a person's device is; whatever is no phone or tablet that we know is `web`. */
export const platforms = ['ios', 'android', 'web'] as const;
export type Platform = (typeof platforms)[number];
