import * as z from 'zod';
import { consoleCall } from './call.ts';
import { analyticsCalls } from './calls/analytics.ts';
import { appCalls } from './calls/apps.ts';
import { hostCalls } from './calls/hosts.ts';
import { keyCalls } from './calls/keys.ts';
import { linkCalls } from './calls/link.ts';
import { linkListCalls } from './calls/links.ts';
import { memberCalls } from './calls/members.ts';
import { projectCalls } from './calls/projects.ts';
import { takedownCalls } from './calls/takedowns.ts';
import { transferCalls } from './calls/transfer.ts';
import { webhookCalls } from './calls/webhooks.ts';

/** Every call of the page, by name. */
export const calls = {
  /** The console's deployment, and its flags on the command line. */
  deployment: consoleCall(z.object({}), async (_, { name, flags, deployment }) => ({
    name,
    flags,
    shortBase: deployment.shortBase,
  })),
  ...projectCalls,
  ...linkListCalls,
  ...linkCalls,
  ...appCalls,
  ...keyCalls,
  ...memberCalls,
  ...hostCalls,
  ...analyticsCalls,
  ...transferCalls,
  ...takedownCalls,
  ...webhookCalls,
};

export type Calls = typeof calls;
