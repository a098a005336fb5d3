import { engine, flagsOf, portFlag } from '../../start/flags.ts';
import { command, contextValues, flag, read } from '../command.ts';

const portOption = (name: string, description: string) =>
  read({ placeholder: 'N', description }, (text) => portFlag(name, text));

export const startCommands = [
  command('start', {
    summary: 'Run the service on this machine, until Ctrl-C',
    place: ['data'],
    options: {
      apiPort: portOption('--api-port', 'port of the API (default: 8787; 0 picks a free one)'),
      shortPort: portOption('--short-port', 'port of the short URLs (default: 8788; 0 picks a free one)'),
      consolePort: portOption(
        '--console-port',
        "port of the operator's console (default: 8789, or another if that is busy; 0 picks a free one)",
      ),
      demo: flag('create a project showcase with 20 links and a year of clicks, unless it exists'),
      signIn: flag('let members sign in to their console, with an identity provider on this machine'),
      watch: flag('reload changed sources when they are saved'),
      memory: flag('keep the table in memory; every start begins empty'),
      engine: read(
        {
          placeholder: 'NAME',
          description:
            'sqlite, dynamodb-local (needs Java 17), or the http:// address of any DynamoDB endpoint (default: sqlite)',
        },
        engine,
      ),
      context: contextValues(
        'a CDK context value, as with cdk synth; also, localDestinations=true lets links lead to ' +
          'http://localhost, and localMemoryMs=N lets suspensions, blocked destinations and changes of hosts act ' +
          'within N milliseconds',
      ),
    },
    run: async (given, { place, print, progress }) => {
      const flags = flagsOf({ ...given, data: place.data });
      const { ofContext } = await import('../../base/context-usage.ts');
      const { settingsOf } = await import('../../../lib/settings.ts');
      // Synthesis would report the same some seconds later.
      ofContext(() => settingsOf(flags.context));
      const { runLocalStack } = await import('../../start/start.ts');
      await runLocalStack(flags, { print, progress });
      return undefined;
    },
  }),
];
