import type { Command } from './command.ts';
import { associationCommands } from './commands/association.ts';
import { completionCommands } from './commands/completion.ts';
import { conformanceCommands } from './commands/conformance.ts';
import { consoleCommands } from './commands/console.ts';
import { costCommands } from './commands/cost.ts';
import { deployCommands } from './commands/deploy.ts';
import { domainCommands } from './commands/domain.ts';
import { exportCommands } from './commands/export.ts';
import { figureCommands } from './commands/figures.ts';
import { keyCommands } from './commands/key.ts';
import { linkCommands } from './commands/link.ts';
import { linkContentCommands } from './commands/link-content.ts';
import { memberCommands } from './commands/member.ts';
import { policyCommands } from './commands/policy.ts';
import { preflightCommands } from './commands/preflight.ts';
import { projectCommands } from './commands/project.ts';
import { restoreCommands } from './commands/restore.ts';
import { smokeCommands } from './commands/smoke.ts';
import { startCommands } from './commands/start.ts';
import { takedownCommands } from './commands/takedown.ts';
import { transferCommands } from './commands/transfer.ts';
import { webhookCommands } from './commands/webhook.ts';

/** How operators call the command line. */
export const call = 'npx dls';

/**
 * Every command, in the order of help. Put a new noun into its own file; it loads its library when it runs.
 */
export const commands: readonly Command[] = [
  ...startCommands,
  ...deployCommands,
  ...projectCommands,
  ...keyCommands,
  ...memberCommands,
  ...domainCommands,
  ...associationCommands,
  ...linkContentCommands,
  ...linkCommands,
  ...takedownCommands,
  ...transferCommands,
  ...webhookCommands,
  ...figureCommands,
  ...exportCommands,
  ...restoreCommands,
  ...policyCommands,
  ...consoleCommands,
  ...costCommands,
  ...preflightCommands,
  ...smokeCommands,
  ...conformanceCommands,
  ...completionCommands(() => commands),
];
