import { operatorRanks } from '../../projects/operator-ranks.ts';
import { command, requiredChoice } from '../command.ts';

export const policyCommands = [
  command('policy', {
    summary: 'Print an IAM policy for operators: reading, reading and takedowns, or everything in the tables',
    arguments: { rank: requiredChoice(operatorRanks, 'what they may do') },
    run: async ({ rank }, { deployment, place, print, isJson }) => {
      const { operatorPolicy } = await import('../../projects/operator-policies.ts');
      const policy = operatorPolicy(rank, { ...(await deployment()), stack: place.stack });
      if (isJson) return policy;
      print(JSON.stringify(policy, undefined, 2));
      return undefined;
    },
  }),
];
