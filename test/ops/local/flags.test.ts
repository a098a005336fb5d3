import { readFlags } from '../../../ops/local/flags.ts';

test.each([
  [['--engine', 'mysql'], '--engine must be dynoxide, dynamodb-local or an http:// address'],
  [['--api-port', 'http'], "--api-port must be a port from 0 to 65535, not 'http'"],
  [['--console-port', '65536'], "--console-port must be a port from 0 to 65535, not '65536'"],
  [['-c', 'localDestinations=maybe'], "-c localDestinations must be true or false, not 'maybe'"],
  [['-c', 'localMemoryMs=soon'], '-c localMemoryMs must be a number of milliseconds'],
  [['-c', 'stage'], "-c takes KEY=VALUE, not 'stage'"],
])('%j is refused in one line that says what to give', (args, message) => {
  expect(() => readFlags(args)).toThrow(message);
});

test('context values go to the CDK, but for those of this machine alone', () => {
  expect(readFlags(['-c', 'waf=on', '-c', 'a=b=c', '-c', 'localMemoryMs=500'])).toMatchObject({
    context: { waf: 'on', a: 'b=c' },
    localMemoryMs: 500,
    localDestinations: false,
  });
});
