import { flagsOf } from '../../dev/flags.ts';
import { UsageError } from '../../ops/base/operator-error.ts';
import { runCommand } from '../support/command.ts';

test.each([
  [['--engine', 'mysql'], '--engine must be sqlite, dynamodb-local or an http:// address'],
  [['--api-port', 'http'], "--api-port must be a port from 0 to 65535, not 'http'"],
  [['--console-port', '65536'], "--console-port must be a port from 0 to 65535, not '65536'"],
  [['-c', 'localDestinations=maybe'], "-c localDestinations must be true or false, not 'maybe'"],
  [['-c', 'localMemoryMs=soon'], '-c localMemoryMs must be a number of milliseconds'],
  [['-c', 'stage'], "-c takes KEY=VALUE, not 'stage'"],
])('%j is refused in one line with the right usage', async (args, message) => {
  const { error } = await runCommand(['start', ...args]);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(message);
});

test('context values go to the CDK, except those of this machine', () => {
  const none = { apiPort: undefined, shortPort: undefined, consolePort: undefined };
  const context = [
    ['waf', 'on'],
    ['a', 'b=c'],
    ['localMemoryMs', '500'],
  ] as const;
  expect(
    flagsOf({
      ...none,
      data: '.local',
      memory: undefined,
      demo: undefined,
      watch: undefined,
      signIn: undefined,
      standby: undefined,
      engine: undefined,
      context,
    }),
  ).toEqual({
    apiPort: 8787,
    shortPort: 8788,
    consolePort: undefined,
    data: '.local',
    memory: false,
    demo: false,
    watch: false,
    signIn: false,
    engine: 'sqlite',
    context: { waf: 'on', a: 'b=c' },
    localMemoryMs: 500,
    localDestinations: false,
  });
});
