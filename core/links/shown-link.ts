import { appSections } from '../apps/app-fields.ts';
import type { Figures } from '../figures/figures.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import { type Link, statusAt } from './link.ts';

/** A link as shown while only these apps exist: an association ends with its app. */
export const withApps = (link: Link, existing: { readonly has: (id: string) => boolean }): Link => {
  const payload = { ...link.payload };
  for (const { appId } of appSections) if (!existing.has(payload[appId] ?? '')) delete payload[appId];
  return { ...link, payload };
};

/** The addresses that a response shows of a link, below the address where its project's short URLs start. */
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

/** Every field of a link that a response may show; the contract's result schema selects. */
export const presentLink = (
  link: Link,
  figures: Figures,
  project: Project,
  { shortBase, now }: { readonly shortBase: string; readonly now: Date },
) => {
  return {
    ...link,
    ...shownAddresses(shortBaseOf(project, shortBase), link.code, link.payload.link),
    projectId: link.project,
    status: statusAt(link, now),
    ...(link.blockedAt !== undefined && { blocked: true as const }),
    clickCount: figures.clicks,
    analytics: {
      totalClicks: figures.clicks,
      uniqueClicks: figures.uniques,
      clicksByPlatform: { ios: 0, android: 0, web: 0, ...figures.platforms },
      clicksByCountry: figures.countries,
    },
  };
};
