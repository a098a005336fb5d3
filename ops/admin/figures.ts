import type { Command } from './commands.ts';
import { redrive } from './redrive.ts';
import { OperatorError } from './target.ts';

/** What operators ask about figures, and do when some are missing. */
export const figureCommands: Readonly<Record<string, Command>> = {
  'link figures': {
    usage: 'CODE --project ID',
    summary: "Show a link's clicks, and the visits that were left out of them by reason",
    arguments: ['CODE'],
    options: ['project'],
    async run({ argument, option }, { stores }) {
      const project = option('project');
      if (project === undefined) throw new OperatorError('--project is missing');
      const code = argument(0);
      if (!(await stores.links.code(project, code))) {
        throw new OperatorError(`The project ${project} has no link ${code}`);
      }
      const { figures, excluded } = await stores.figures.find(project, code);
      return { project, code, ...figures, excluded };
    },
  },
  'clicks redrive': {
    usage: 'FOLDER',
    summary: 'Add clicks that landed in the failures bucket, from a copy of it; nothing is counted twice',
    arguments: ['FOLDER'],
    run: ({ argument }, { stores }) => redrive(argument(0), stores, new Date()),
  },
};
