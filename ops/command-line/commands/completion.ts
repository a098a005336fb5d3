import { type Command, command, requiredChoice } from '../command.ts';

/** The completion commands. `all` is called when they run. */
export const completionCommands = (all: () => readonly Command[]) => [
  command('completion', {
    summary: "Print completion of these commands, for the shell's start file",
    place: [],
    arguments: { shell: requiredChoice(['bash', 'zsh', 'fish'], 'the shell') },
    run: async ({ shell }, { print }) => {
      const { completionFor } = await import('../completion.ts');
      print(completionFor(shell, all()));
      return undefined;
    },
  }),
];
