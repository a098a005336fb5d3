import { command } from '../command.ts';

export const figureCommands = [
  command('figures settle', {
    summary: 'Settle the figures of 1.0.0 before the deployment of 1.1.0, while no clicks are counted',
    run: async (_, { target, progress }) => {
      const { settleFigures } = await import('../../upgrade/settle.ts');
      return settleFigures(await target(), progress);
    },
  }),
];
