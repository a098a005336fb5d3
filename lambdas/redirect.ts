import { clickStore } from '../core/clicks/click-store.ts';
import { excludedStore } from '../core/clicks/excluded-store.ts';
import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { allowLocalhost } from '../core/short-urls/web-address.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forVisitors, once } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { logAs } from './log.ts';
import { showAbuseContact } from './short-urls/answers.ts';
import { redirect } from './short-urls/redirect.ts';

const environment = process.env;
const { TABLE_NAME: name = '', UNIQUE_WINDOW_DAYS, VISITOR_SECRET, SHORT_DOMAIN } = environment;
const connection = connect(tableAccess(environment));

// Only the local stack sets these two; no template has them.
if (environment.LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
shortenMemory(environment.LOCAL_MEMORY_MS);

logAs(environment);
showAbuseContact(environment.ABUSE_CONTACT);

export const handler = redirect({
  stores: {
    shortLinks: shortLinkStore(openItems(connection, { name, patience: forVisitors }), SHORT_DOMAIN),
    // How long a visitor waits for their visit to be written, when the table is ill; a click is worth a moment.
    clicks: clickStore(openItems(connection, { name, patience: { ...forVisitors, deadlineMs: 1000 } })),
    excluded: excludedStore(openItems(connection, { name, patience: once })),
  },
  visitorSecret: VISITOR_SECRET ?? '',
  uniqueWindowSeconds: Number(UNIQUE_WINDOW_DAYS) * 86_400,
});
