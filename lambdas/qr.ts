import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { openItems } from '../core/table/items.ts';
import { openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { qr } from './short-urls/qr.ts';

const { settings, tableFor } = openFunction('qr', openItems);

export const handler = qr(
  { shortLinks: shortLinkStore(openReads(tableFor), settings.shortDomain) },
  settings,
);
