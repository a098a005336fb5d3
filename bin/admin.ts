import { parseArgs } from 'node:util';
import { type Command, commands, type Input } from '../ops/admin/commands.ts';
import { deployedTarget, localTarget, OperatorError } from '../ops/admin/target.ts';

const everyOption = {
  data: { type: 'string' },
  stack: { type: 'string' },
  region: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  subscription: { type: 'string' },
  project: { type: 'string' },
  user: { type: 'string' },
  scopes: { type: 'string' },
  ios: { type: 'string', multiple: true },
  android: { type: 'string' },
  sha256: { type: 'string', multiple: true },
} as const;

const help = `Usage: npm run -s admin -- NOUN VERB … [--data DIR | --stack NAME] [--json]

${Object.entries(commands)
  .map(([name, { usage, summary }]) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`)
  .join('\n')}

  --data DIR    a running local stack (default: .local)
  --stack NAME  a deployed CloudFormation stack, with the AWS credentials of your environment
  --region NAME the stack's region (default: cdk.json's, AWS_REGION, AWS_DEFAULT_REGION, your profile's)
  --json        print one JSON value and nothing else`;

const main = async (): Promise<void> => {
  const { values, positionals } = parse();
  const [noun = '', verb = '', ...rest] = positionals;
  if (values.help || noun === '' || noun === 'help') {
    console.log(help);
    return;
  }
  const command = commands[`${noun} ${verb}`];
  if (!command)
    throw new OperatorError(`There is no command '${`${noun} ${verb}`.trim()}'; --help lists all`);
  checkUse(`${noun} ${verb}`, command, values, rest);
  if (values.data !== undefined && values.stack !== undefined) {
    throw new OperatorError('--data and --stack name two different targets: give one');
  }
  const target = values.stack
    ? await deployedTarget(values.stack, values.region)
    : await localTarget(values.data ?? '.local');
  const result = await command.run(inputOf(command, values, rest), target);
  console.log(values.json ? JSON.stringify(result) : readable(result));
};

const inputOf = (
  { arguments: takes = [], more }: Command,
  values: object,
  given: readonly string[],
): Input => {
  const options = new Map(Object.entries(values));
  return {
    argument: (position) => given[position] ?? '',
    // A list becomes text with commas.
    option: (name) =>
      options.has(name)
        ? [options.get(name), ...(name === more ? given.slice(takes.length) : [])].toString()
        : undefined,
  };
};

const parse = () => {
  try {
    return parseArgs({ options: everyOption, allowPositionals: true });
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  }
};

const common = ['data', 'stack', 'region', 'json'];

const checkUse = (name: string, command: Command, values: object, given: readonly string[]) => {
  const { arguments: takes = [], options = [] } = command;
  const foreign = Object.keys(values).find((option) => ![...common, ...options].includes(option));
  if (foreign) throw new OperatorError(`'${name}' takes no --${foreign}`);
  const mayGoOn = command.more !== undefined && command.more in values;
  if (mayGoOn ? given.length < takes.length : given.length !== takes.length) {
    throw new OperatorError(`Usage: npm run -s admin -- ${`${name} ${command.usage}`.trim()}`);
  }
};

const readable = (result: object): string => {
  if (!Array.isArray(result)) return lines(result);
  return result.length === 0 ? '(none)' : result.map(lines).join('\n\n');
};

const lines = (record: object): string => {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(
      ([name, value]) =>
        `${name.padEnd(width)}  ${Array.isArray(value) ? value.map(inLine).join(', ') : value}`,
    )
    .join('\n');
};

const inLine = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).flat().join(' ') : String(value);

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
