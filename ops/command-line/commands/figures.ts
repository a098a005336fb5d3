// Until 1.3.0: part of the upgrade from 1.0.0.
import { command } from '../command.ts';

export const figureCommands = [
  command('figures settle', {
    summary:
      'Bring the figures of 1.0.0 into the form of 1.1.0, before it is deployed and while no clicks are counted',
    run: async (_, { target, progress }) => {
      const { settleFigures } = await import('../../upgrade/settle.ts');
      return settleFigures(await target(), progress);
    },
  }),
];
