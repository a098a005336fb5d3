import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { refuseKeptFlags, withFlagsAdvice } from '../stray-argument.ts';

export interface Flags {
  readonly apiPort: number;
  readonly shortPort: number;
  /** Left out: the default one, or another if that is busy. */
  readonly consolePort: number | undefined;
  readonly data: string;
  readonly memory: boolean;
  readonly engine: 'dynoxide' | 'dynamodb-local' | `http://${string}`;
  /** Whether links may lead to localhost. No context of the app's: no template can allow it. */
  readonly localDestinations: boolean;
  /** How long functions remember hosts and take-downs; undefined leaves them their own times. No context either. */
  readonly localMemoryMs: number | undefined;
  readonly context: Readonly<Record<string, string>>;
}

export const usage = `Usage: npm start -- [flags]

  --api-port N      port of the API (default 8787; 0 picks a free one)
  --short-port N    port of the short URLs (default 8788; 0 picks a free one)
  --console-port N  port of the operator's console (default 8789, or another if
                    that is busy; 0 picks a free one)
  --data DIR        folder of data and stack.json (default .local); only you can
                    read it
  --memory          keep the table in memory; every start begins empty
  --engine NAME     dynoxide, dynamodb-local (needs Java 17), or the http://
                    address of any DynamoDB endpoint (default dynoxide)
  -c KEY=VALUE      a CDK context value, as with cdk synth; may be repeated
  -c localDestinations=true
                    lets links lead to http://localhost, on this machine only
  -c localMemoryMs=N
                    lets suspensions, blocked destinations and changes of hosts
                    act within N milliseconds (default: within 5 seconds, a
                    minute and 5 seconds)
  --help            print this and do nothing else`;

/** Throws with one line that names the flag. Undefined when only help was asked for. */
export const readFlags = (args: readonly string[], environment = process.env): Flags | undefined => {
  const { values } = withFlagsAdvice(() => parse(args), 'npm start -- --api-port 5');
  refuseKeptFlags({ name: 'start', flags: Object.keys(options), contextKeys: ['stage'] }, environment);
  if (values.help) return undefined;
  const given: Record<string, string> = Object.fromEntries(values.context.map(contextValue));
  const { localDestinations = 'false', localMemoryMs, ...context } = given;
  return {
    apiPort: port('--api-port', values['api-port']),
    shortPort: port('--short-port', values['short-port']),
    consolePort:
      values['console-port'] === undefined ? undefined : port('--console-port', values['console-port']),
    data: values.data,
    memory: values.memory,
    engine: engine(values.engine),
    localDestinations: flag('localDestinations', localDestinations),
    localMemoryMs: localMemoryMs === undefined ? undefined : milliseconds('localMemoryMs', localMemoryMs),
    context,
  };
};

const options = {
  'api-port': { type: 'string', default: '8787' },
  'short-port': { type: 'string', default: '8788' },
  'console-port': { type: 'string' },
  data: { type: 'string', default: '.local' },
  memory: { type: 'boolean', default: false },
  engine: { type: 'string', default: 'dynoxide' },
  context: { type: 'string', short: 'c', multiple: true, default: [] },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig;

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options,
  });

export const port = (flag: string, text: string): number => {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 65_535) return number;
  throw new Error(`${flag} must be a port from 0 to 65535, not '${text}'`);
};

const flag = (key: string, text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`-c ${key} must be true or false, not '${text}'`);
};

const milliseconds = (key: string, text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Error(`-c ${key} must be a number of milliseconds up to 999999, not '${text}'`);
};

const engine = (text: string): NonNullable<Flags['engine']> => {
  if (text === 'dynoxide' || text === 'dynamodb-local') return text;
  if (text.startsWith('http://')) return text as `http://${string}`;
  throw new Error(`--engine must be dynoxide, dynamodb-local or an http:// address, not '${text}'`);
};

const contextValue = (text: string): [string, string] => {
  const [key, ...value] = text.split('=');
  if (!key || value.length === 0) throw new Error(`-c takes KEY=VALUE, not '${text}'`);
  return [key, value.join('=')];
};
