import type { Analytics } from '../analytics/analytics.ts';
import { appSections } from '../apps/app-fields.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import { type Link, statusAt } from './link.ts';

/** A link without references to apps that don't exist. */
export const withApps = (link: Link, existing: { readonly has: (id: string) => boolean }): Link => {
  const payload = { ...link.payload };
  for (const { appId } of appSections) if (!existing.has(payload[appId] ?? '')) delete payload[appId];
  return { ...link, payload };
};

/** A link's addresses in responses; `base` is the base address of its project's short URLs. */
export const shownAddresses = (base: string, code: string, destination: string) => {
  const shortUrl = `${base}/${code}`;
  return {
    shortUrl,
    shortLink: shortUrl,
    originalUrl: destination,
    previewLink: destination,
    qrCode: `${shortUrl}/qr.png`,
  };
};

export interface Presentation {
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  readonly now: Date;
  /** Whether all links of its publishable key are blocked. @default false */
  readonly isKeyBlocked?: boolean;
}

/** All fields of a link for responses; the contract's result schema selects among them. */
export const presentLink = (
  link: Link,
  analytics: Analytics,
  project: Project,
  { shortBase, now, isKeyBlocked = false }: Presentation,
) => {
  const isBlocked = isKeyBlocked || link.blockedAt !== undefined;
  return {
    ...link,
    ...shownAddresses(shortBaseOf(project, shortBase), link.code, link.payload.link),
    projectId: link.project,
    status: statusAt(link, now, isBlocked),
    ...(isBlocked && { blocked: true as const }),
    clickCount: analytics.clicks,
    analytics: {
      totalClicks: analytics.clicks,
      uniqueClicks: analytics.uniques,
      clicksByPlatform: { ios: 0, android: 0, web: 0, ...analytics.platforms },
      clicksByCountry: analytics.countries,
    },
  };
};
