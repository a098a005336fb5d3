import type { Command } from './command.ts';
import { associationCommands } from './commands/association.ts';
import { consoleCommands } from './commands/console.ts';
import { domainCommands } from './commands/domain.ts';
import { exportCommands } from './commands/export.ts';
import { figureCommands } from './commands/figures.ts';
import { keyCommands } from './commands/key.ts';
import { linkCommands } from './commands/link.ts';
import { policyCommands } from './commands/policy.ts';
import { projectCommands } from './commands/project.ts';
import { restoreCommands } from './commands/restore.ts';
import { takedownCommands } from './commands/takedown.ts';
import { transferCommands } from './commands/transfer.ts';

/** How operators call the command line; -s keeps npm's own lines out of the output. */
export const call = 'npm run -s admin --';

/**
 * Every command, in the order of help. Put a new noun into its own file; it loads its library when it runs.
 */
export const commands: readonly Command[] = [
  ...projectCommands,
  ...keyCommands,
  ...domainCommands,
  ...associationCommands,
  ...linkCommands,
  ...takedownCommands,
  ...transferCommands,
  ...figureCommands,
  ...exportCommands,
  ...restoreCommands,
  ...policyCommands,
  ...consoleCommands,
];
