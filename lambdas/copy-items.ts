import { copiesStore, itemCopier } from '../core/standby/copy-store.ts';
import { openItems } from '../core/table/items.ts';
import { forBackground } from '../core/table/retry-policy.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { copyItems, withoutOverlap } from './queues/copy-items.ts';

const { settings, tableFor } = openFunction('copy-items', openItems);
const { clickQueueUrl, copyTable, standbyRegion, standbySecretArn: secretArn } = settings;

const copies = copiesStore(tableFor(forBackground));
const send = withoutOverlap(connectTo('dynamodb', standbyRegion));
const copy = openItems(send, { name: copyTable, policy: forBackground });

export const handler = copyItems(copies, itemCopier(copies, copy, { clickQueueUrl, secretArn }));
