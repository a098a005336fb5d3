import { command, required } from '../command.ts';

export const clickCommands = [
  command('clicks redrive', {
    summary: 'Add clicks that landed in the failures bucket, from a copy of it; nothing is counted twice',
    arguments: { folder: required('FOLDER', 'a copy of the failures bucket') },
    run: async ({ folder }, { target }) => {
      const { redrive } = await import('../../redrive.ts');
      return redrive(folder, (await target()).stores, new Date());
    },
  }),
];
