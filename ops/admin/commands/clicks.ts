import { command, required } from '../command.ts';

export const clickCommands = [
  command('clicks redrive', {
    summary:
      'Count clicks of failed batches, from a copy of the failures bucket, up to 46 hours later; counts nothing twice',
    arguments: { folder: required('FOLDER', 'a copy of the failures bucket') },
    run: async ({ folder }, { target, progress, fail }) => {
      const { redrive } = await import('../../redrive.ts');
      const { stores, figuresRetentionDays: retentionDays } = await target();
      const outcome = await redrive(folder, { stores, retentionDays, now: new Date(), note: progress });
      if (outcome.unreadable > 0) fail();
      return outcome;
    },
  }),
];
