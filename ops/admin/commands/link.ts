import { command, required } from '../command.ts';

const library = () => import('../../links.ts');
const code = required('CODE', "the link's code");
const project = required('ID', 'the project that the link belongs to');

export const linkCommands = [
  command('link figures', {
    summary: "Show a link's clicks, and the visits that were left out of them by reason",
    arguments: { code },
    options: { project },
    run: async ({ code, project }, { target }) =>
      (await library()).linkFigures(await target(), project, code),
  }),
];
