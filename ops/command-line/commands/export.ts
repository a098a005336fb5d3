import { command, required } from '../command.ts';

export const exportCommands = [
  command('export redrive', {
    summary: 'Resend rows that the click export refused, from the files in FOLDER',
    arguments: { folder: required('FOLDER', 'a folder with a copy of rows/ of the failures bucket') },
    run: async ({ folder }, { deployment, progress }) => {
      const { redriveRows } = await import('../../click-export/delayed-rows.ts');
      return redriveRows(await deployment(), folder, progress);
    },
  }),
];
