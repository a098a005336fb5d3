import { UsageError } from '../../base/operator-error.ts';
import { command, contextValues, flag, port, read } from '../command.ts';
import { repositoryFor, type StartOptions } from '../repository.ts';

const engine = (text: string): StartOptions['engine'] => {
  if (text === 'sqlite' || text === 'dynamodb-local') return text;
  if (text.startsWith('http://')) return text as `http://${string}`;
  throw new UsageError(`--engine must be sqlite, dynamodb-local or an http:// address, not '${text}'`);
};

export const startCommands = [
  command('start', {
    summary: 'Run the service on this machine, until Ctrl-C',
    place: ['data'],
    options: {
      apiPort: port('port of the API (default: 8787; 0 picks a free one)'),
      shortPort: port('port of the short URLs (default: 8788; 0 picks a free one)'),
      consolePort: port(
        "port of the operator's console (default: 8789, or another if that is busy; 0 picks a free one)",
      ),
      demo: flag('create a project showcase with 20 links and a year of clicks, unless it exists'),
      signIn: flag('let members sign in to their console, with an identity provider on this machine'),
      standby: flag('run a second region, which serves visitors while the first one cannot'),
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
    run: async (given, { place, print, progress, repository }) => {
      await repositoryFor('start', repository).start({ ...given, data: place.data }, { print, progress });
      return undefined;
    },
  }),
];
