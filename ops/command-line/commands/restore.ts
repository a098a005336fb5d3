import { command, required } from '../command.ts';

export const restoreCommands = [
  command('restore', {
    summary:
      'Copy from a restored table what the live one lacks, except visitors, so that no click counts twice',
    options: { from: required('TABLE', 'a table that was restored from a backup, in the same region') },
    run: async ({ from }, { target, progress }) => {
      const { restore } = await import('../../restore/restore.ts');
      return restore(await target(), { from, now: new Date() }, progress);
    },
  }),
];
