import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forVisitors } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { showAbuseContact } from './short-urls/answers.ts';
import { qr } from './short-urls/qr.ts';

const table = openItems(connect(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  patience: forVisitors,
});

// Set by the local stack alone; no template has it.
shortenMemory(process.env.LOCAL_MEMORY_MS);

showAbuseContact(process.env.ABUSE_CONTACT);

export const handler = qr({ shortLinks: shortLinkStore(table, process.env.SHORT_DOMAIN) });
