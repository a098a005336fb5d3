import { command, flag, optional, required } from '../command.ts';
import { placeFlags } from '../place-flags.ts';

export const restoreCommands = [
  command('restore', {
    summary:
      'Copy from a restored table what the live one lacks, except visitors, so that no click counts twice, and members',
    options: {
      from: required('TABLE', 'a table that was restored from a backup, in the same region'),
      adopt: flag('copy nothing: take the members out of the table, before the stack adopts it'),
      members: optional('FILE', 'gets the commands that add members again (default: members-of-TABLE.sh)'),
    },
    run: async ({ from, adopt, members: file = `members-of-${from}.sh` }, context) => {
      const { progress } = context;
      const { noteMembers, removeMembers } = await import('../../restore/restored-members.ts');
      const { restore } = await import('../../restore/restore.ts');
      const [deployment, now] = [await context.deployment(), new Date()];
      const noting = { from, file, flags: placeFlags(context.place) };
      const restored = adopt ? { from } : await restore(deployment, { from, now }, progress);
      const noted = adopt
        ? await removeMembers(deployment, noting, now)
        : await noteMembers(deployment, noting);
      progress(
        noted.membersFile === undefined
          ? 'No member is missing'
          : `Members are not brought back. ${file} has the commands that add ${noted.members} of them again: read it before you run it`,
      );
      return { ...restored, ...noted };
    },
  }),
];
