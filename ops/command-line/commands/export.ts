import { command, required } from '../command.ts';

export const exportCommands = [
  command('export redrive', {
    summary: 'Send rows again that the export of clicks refused: those in FOLDER',
    arguments: { folder: required('FOLDER', 'a folder with what lies below rows/ in the failures bucket') },
    run: async ({ folder }, { target, progress }) => {
      const { redriveRows } = await import('../../click-export/delayed-rows.ts');
      return redriveRows(await target(), folder, progress);
    },
  }),
];
