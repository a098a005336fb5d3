import { command, required } from '../command.ts';

export const exportCommands = [
  command('export redrive', {
    summary: 'Put rows that the export of clicks did not take at their time into it',
    arguments: { folder: required('FOLDER', 'a folder with what lies below rows/ in the failures bucket') },
    run: async ({ folder }, { target, progress }) => {
      const { redriveRows } = await import('../../delayed-rows.ts');
      return redriveRows(await target(), folder, progress);
    },
  }),
];
