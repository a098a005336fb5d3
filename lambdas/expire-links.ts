import { linkStore } from '../core/links/link-store.ts';
import { forStreams } from '../core/table/patience.ts';
import { openTable } from '../core/table/port.ts';
import { openFunction } from './open-function.ts';
import { expirer } from './streams/expire-links.ts';

const { tableFor } = openFunction({ name: 'expire-links', environment: process.env, port: openTable });

export const handler = expirer({ links: linkStore(tableFor(forStreams)) });
