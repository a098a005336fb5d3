import { hostShareStore } from '../core/short-urls/association-store.ts';
import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forVisitors } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { showAbuseContact } from './short-urls/answers.ts';
import { wellKnown } from './short-urls/well-known.ts';

const table = openItems(connect(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  patience: { ...forVisitors, deadlineMs: 5000 },
});

// Set by the local stack alone; no template has it.
shortenMemory(process.env.LOCAL_MEMORY_MS);

showAbuseContact(process.env.ABUSE_CONTACT);

export const handler = wellKnown({ hostShares: hostShareStore(table, process.env.SHORT_DOMAIN) });
