import { clickStore } from '../core/clicks/click-store.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { leanClient, tableAccess } from '../core/table/lean-client.ts';
import { leanTable } from '../core/table/lean-table.ts';
import { appLink } from './short-urls/app-link.ts';

const { TABLE_NAME: name = '', VISITOR_SECRET } = process.env;
const client = leanClient(tableAccess(process.env));

export const handler = appLink({
  stores: {
    shortLinks: shortLinkStore(leanTable(client, { name, deadlineMs: 2000 })),
    clicks: clickStore(leanTable(client, { name, deadlineMs: 1000 })),
  },
  visitorSecret: VISITOR_SECRET ?? '',
});
