import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { leanClient, tableAccess } from '../core/table/lean-client.ts';
import { leanTable } from '../core/table/lean-table.ts';
import { showAbuseContact } from './short-urls/answers.ts';
import { qr } from './short-urls/qr.ts';

const table = leanTable(leanClient(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  deadlineMs: 2000,
});

// Set by the local stack alone; no template has it.
shortenMemory(process.env.LOCAL_MEMORY_MS);

showAbuseContact(process.env.ABUSE_CONTACT);

export const handler = qr({ shortLinks: shortLinkStore(table, process.env.SHORT_DOMAIN) });
