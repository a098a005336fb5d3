import { lateClickStore } from '../core/clicks/late-click-store.ts';
import { forLateClicks } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { openFunction } from './open-function.ts';
import { clickRecorder } from './queues/record-clicks.ts';

const { tableFor } = openFunction({ name: 'record-clicks', environment: process.env, port: openItems });

export const handler = clickRecorder({ lateClicks: lateClickStore(tableFor(forLateClicks)) });
