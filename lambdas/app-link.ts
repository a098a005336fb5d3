import { clickStore } from '../core/clicks/click-store.ts';
import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { allowLocalhost } from '../core/short-urls/web-address.ts';
import { leanClient, tableAccess } from '../core/table/lean-client.ts';
import { leanTable } from '../core/table/lean-table.ts';
import { logAs } from './log.ts';
import { appLink } from './short-urls/app-link.ts';

const environment = process.env;
const { TABLE_NAME: name = '', VISITOR_SECRET, SHORT_DOMAIN } = environment;
const client = leanClient(tableAccess(environment));

// Only the local stack sets these two; no template has them.
if (environment.LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
shortenMemory(environment.LOCAL_MEMORY_MS);

logAs(environment);

export const handler = appLink({
  stores: {
    shortLinks: shortLinkStore(leanTable(client, { name, deadlineMs: 2000 }), SHORT_DOMAIN),
    clicks: clickStore(leanTable(client, { name, deadlineMs: 1000 })),
  },
  visitorSecret: VISITOR_SECRET ?? '',
});
