import { parseArgs } from 'node:util';
import { readFlags } from '../../ops/local/flags.ts';
import { withFlagsAdvice } from '../../ops/stray-argument.ts';

test('a value whose flag npm kept is an error that shows where flags go', () => {
  expect(() => readFlags(['5'])).toThrow(
    /^Unexpected argument '5' \(flags go behind --: npm start -- --api-port 5\)$/,
  );
});

test('a flag that npm kept is an error; flags of other scripts and npm settings are not', () => {
  const environment = { npm_lifecycle_event: 'start', npm_config_cache: 'x' };
  expect(() => readFlags([], { ...environment, npm_config_memory: 'true' })).toThrow(
    /^npm kept the flag --memory \(flags go behind --: npm start -- --memory\)$/,
  );
  expect(() => readFlags([], { ...environment, npm_config_api_port: 'true' })).toThrow('--api-port');
  expect(readFlags([], environment)).toMatchObject({ memory: false });
  expect(readFlags([], { npm_lifecycle_event: 'test', npm_config_memory: 'true' })).toMatchObject({
    memory: false,
  });
});

test.each(["it's. This command does not take positional arguments", 'two\nlines', ''])(
  'the argument %j is shown as it was given',
  (argument) => {
    expect(() => readFlags([argument])).toThrow(`Unexpected argument '${argument}' (flags go behind --: `);
  },
);

test('other faults of flags are errors as they were', () => {
  const parse = (args: string[]) => () => parseArgs({ args, options: { data: { type: 'string' } } });
  expect(() => withFlagsAdvice(parse(['--nonsense']), 'x')).toThrow(/^Unknown option '--nonsense'/);
  expect(() => withFlagsAdvice(parse(['--data']), 'x')).toThrow(/^Option '--data <value>' argument missing/);
  expect(withFlagsAdvice(parse(['--data', 'x']), 'x').values).toEqual({ data: 'x' });
});
