import { command, required } from '../command.ts';

export const exportCommands = [
  command('export redrive', {
    summary: 'Send the rows in FOLDER, which the export of clicks refused at their time, to it again',
    arguments: { folder: required('FOLDER', 'a folder with what lies below rows/ in the failures bucket') },
    run: async ({ folder }, { target, progress }) => {
      const { redriveRows } = await import('../../delayed-rows.ts');
      return redriveRows(await target(), folder, progress);
    },
  }),
];
