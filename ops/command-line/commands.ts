import type { Command } from './command.ts';
import { associationCommands } from './commands/association.ts';
import { completionCommands } from './commands/completion.ts';
import { conformanceCommands } from './commands/conformance.ts';
import { consoleCommands } from './commands/console.ts';
import { costCommands } from './commands/cost.ts';
import { deployCommands } from './commands/deploy.ts';
import { domainCommands } from './commands/domain.ts';
import { exportCommands } from './commands/export.ts';
import { keyCommands } from './commands/key.ts';
import { linkCommands } from './commands/link.ts';
import { linkContentCommands } from './commands/link-content.ts';
import { memberCommands } from './commands/member.ts';
import { policyCommands } from './commands/policy.ts';
import { preflightCommands } from './commands/preflight.ts';
import { projectCommands } from './commands/project.ts';
import { restoreCommands } from './commands/restore.ts';
import { smokeCommands } from './commands/smoke.ts';
import { standbyCommands } from './commands/standby.ts';
import { startCommands } from './commands/start.ts';
import { takedownCommands } from './commands/takedown.ts';
import { transferCommands } from './commands/transfer.ts';
import { webhookCommands } from './commands/webhook.ts';

/** How operators call the command line. */
export const dlsCommand = 'npx dls';

/**
 * Every command, in the groups and order of help. Put a new noun into its own file, which loads its library when run.
 */
const groups: Readonly<Record<string, readonly Command[]>> = {
  'Every day': [
    ...linkContentCommands,
    ...linkCommands,
    ...transferCommands,
    ...projectCommands,
    ...consoleCommands,
  ],
  Operate: [
    ...keyCommands,
    ...memberCommands,
    ...domainCommands,
    ...associationCommands,
    ...webhookCommands,
    ...costCommands,
    ...preflightCommands,
    ...deployCommands,
    ...smokeCommands,
    ...policyCommands,
    ...restoreCommands,
    ...standbyCommands,
    ...exportCommands,
  ],
  Moderate: takedownCommands,
  Develop: [...startCommands, ...conformanceCommands, ...completionCommands(() => commands)],
};

export const commands: readonly Command[] = Object.values(groups).flat();

/** The heading of a command in help. */
export const groupOf = (command: Command): string =>
  Object.entries(groups).find(([, some]) => some.includes(command))?.[0] ?? '';
