import { openItems } from '../core/table/items.ts';
import { lateClickStore } from '../core/visits/late-click-store.ts';
import { openFunction } from './frame/open-function.ts';
import { clickRecorder, forLateClicks } from './queues/record-clicks.ts';

const { tableFor } = openFunction('record-clicks', openItems);

export const handler = clickRecorder({ lateClicks: lateClickStore(tableFor(forLateClicks)) });
