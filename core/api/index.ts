import * as analytics from './analytics.ts';
import * as bulkLinks from './bulk-links.ts';
import type { Contract } from './endpoint.ts';
import * as linkChanges from './link-changes.ts';
import * as linkCreation from './link-creation.ts';
import * as linkHistory from './link-history.ts';
import * as linkTags from './link-tags.ts';
import * as links from './links.ts';
import * as mobileApps from './mobile-apps.ts';
import * as qrStyles from './qr-styles.ts';
import * as shareLinks from './share-links.ts';
import * as usage from './usage.ts';

/** The API's contracts by operation id. */
export const api = {
  ...linkCreation,
  ...linkChanges,
  ...links,
  ...bulkLinks,
  ...linkTags,
  ...linkHistory,
  ...mobileApps,
  ...qrStyles,
  ...shareLinks,
  ...usage,
  ...analytics,
} satisfies Record<string, Contract>;

/** The contracts by the operation whose function serves them. */
export const served: ReadonlyMap<string, readonly Contract[]> = new Map(
  [...Map.groupBy(Object.entries<Contract>(api), ([operation, { servedBy }]) => servedBy ?? operation)].map(
    ([operation, contracts]) => [operation, contracts.map(([, contract]) => contract)],
  ),
);

export const apiVersion = '1.0';

/** The file name of an operation's behaviour: `createLink` is in `lambdas/api/create-link.ts`. */
export const entryName = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
