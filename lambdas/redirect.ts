import { clickStore } from '../core/clicks/click-store.ts';
import { excludedStore } from '../core/clicks/excluded-store.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { forVisitors, once } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { openFunction } from './open-function.ts';
import { redirect } from './short-urls/redirect.ts';

const { settings, tableFor } = openFunction({ name: 'redirect', environment: process.env, port: openItems });

export const handler = redirect({
  ...settings,
  stores: {
    shortLinks: shortLinkStore(tableFor(forVisitors), settings.shortDomain),
    // How long a visitor waits for their visit to be written, when the table is ill; a click is worth a moment.
    clicks: clickStore(tableFor({ ...forVisitors, deadlineMs: 1000 })),
    excluded: excludedStore(tableFor(once)),
  },
});
