import { encodedBytes } from '../base/text-size.ts';

export const campaignNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

export type Campaign = { readonly [Name in (typeof campaignNames)[number]]?: string | undefined };

/** A campaign as parts of a query. Half a character pair, which JSON can carry, can't be encoded as it is. */
export const campaignPairs = (campaign: Campaign | undefined): string[] =>
  campaignNames
    .filter((name) => campaign?.[name])
    .map((name) => `${name}=${encodeURIComponent((campaign?.[name] ?? '').toWellFormed())}`);

/** Bytes that a campaign takes in Google Play's referrer, where it is encoded a second time. */
export const referrerBytes = (campaign: Campaign): number => encodedBytes(campaignPairs(campaign).join('&'));
