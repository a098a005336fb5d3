import { encodedBytes } from '../base/text-size.ts';

export const campaignNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

export type Campaign = { readonly [Name in (typeof campaignNames)[number]]?: string | undefined };

/** A campaign as parts of a query. Lone surrogates, which JSON allows, are replaced, because they can't be encoded. */
export const campaignPairs = (campaign: Campaign | undefined): string[] =>
  campaignNames
    .filter((name) => campaign?.[name])
    .map((name) => `${name}=${encodeURIComponent((campaign?.[name] ?? '').toWellFormed())}`);

/** A campaign's size in bytes in Google Play's referrer, where it is encoded twice. */
export const referrerBytes = (campaign: Campaign): number => encodedBytes(campaignPairs(campaign).join('&'));
