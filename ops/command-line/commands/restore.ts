import { errorText } from '../../base/error-text.ts';
import { type Context, command, flag, optional, required } from '../command.ts';
import { placeFlags } from '../place-flags.ts';

/** Makes the second region's copy equal after a restore. If it can't be reached, the restore is complete nevertheless. */
const syncedStandby = async (context: Context) => {
  const deployment = await context.deployment();
  if (!deployment.copyKeys) return undefined;
  const { findStandby } = await import('../../deployment/standby-access.ts');
  const { syncStandby } = await import('../../standby/standby.ts');
  try {
    return await syncStandby(await findStandby(context.place), deployment, context);
  } catch (error) {
    context.progress(
      `The second region isn't as the first: ${errorText(error)}. Later, ${syncAgain(context)}`,
    );
    return undefined;
  }
};

const syncAgain = ({ place }: Context) => `run 'npx dls standby sync ${placeFlags(place)}'`;

export const restoreCommands = [
  command('restore', {
    summary: 'Copy missing items from a restored table, except visitors and members',
    options: {
      from: required('TABLE', 'a table that was restored from a backup, in the same region'),
      adopt: flag('copy nothing: take the members out of the table, before the stack adopts it'),
      members: optional(
        'FILE',
        'file for the commands that add members again (default: members-of-TABLE.sh)',
      ),
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
      const standby = adopt ? undefined : await syncedStandby(context);
      if (adopt && deployment.copyKeys) progress(`After the deployment: ${syncAgain(context)}`);
      return { ...restored, ...noted, ...(standby && { standby }) };
    },
  }),
];
