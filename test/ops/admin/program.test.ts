import { commands } from '../../../ops/admin/commands.ts';
import { runAdmin } from '../../../ops/admin/program.ts';
import { readable } from '../../../ops/admin/readable.ts';

/** The output of a call; throws its error. */
const admin = async (...args: string[]): Promise<string> => {
  const printed: string[] = [];
  await runAdmin(args, {
    print: (text) => printed.push(text),
    write: async (text) => void printed.push(text),
    progress: () => undefined,
    input: async () => '',
  });
  return printed.join('\n');
};

/** The required arguments of each command, so that it would run without --help. */
const enough = commands.map((command) => ({
  command,
  args: [
    ...command.name.split(' '),
    ...Object.values(command.arguments).map(({ choices }) => choices?.[0] ?? 'some'),
    ...Object.entries(command.options).flatMap(([name, { required }]) =>
      required ? [`--${name}`, 'some'] : [],
    ),
  ],
}));

test.each(enough)('$command.name --help prints help and does nothing else', async ({ command, args }) => {
  const help = await admin(...args, '--data', 'nowhere', '--help');
  expect(help).toContain(`npm run -s admin -- ${command.name}`);
  expect(help.replaceAll(/\s+/g, ' ')).toContain(command.summary);
  for (const name of Object.keys(command.options)) expect(help).toContain(`--${kebab(name)}`);
});

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

test('help lists every command', async () => {
  const asked = await admin('--help');
  expect(await admin()).toBe(asked);
  for (const { name } of commands) expect(asked).toContain(`\n  ${name}`);
  expect(asked).toContain("NOUN VERB --help' explains a command");
});

test('help fits into 80 columns', async () => {
  for (const name of ['', ...commands.map((one) => one.name)]) {
    const help = await admin(...name.split(' ').filter(Boolean), '--help');
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

test('help lists each choice once', async () => {
  expect(await admin('link', 'import', '--help')).not.toContain('(choices:');
  expect(await admin('key', 'create', '--help')).toContain('links:read, links:write');
});

test.each([
  [['project'], "'project' needs a verb"],
  [['project', 'grow'], "Unknown command 'grow'"],
  [['castle', 'build'], "Unknown command 'castle'"],
  [['project', 'create'], "Missing required argument 'ID'; see 'npm run -s admin -- project create --help'"],
  [['project', 'create', 'a', 'b'], 'Too many arguments'],
  [['key', 'list'], "Required option '--project ID'"],
  [['key', 'list', '--project', 'acme', '--hopes'], "Unknown option '--hopes'"],
  [['project', 'create', 'acme', '--subscription', 'maybe'], 'Allowed choices are active, inactive'],
  [['key', 'create', '--project', 'acme', '--scopes', 'links:reed'], "There is no scope 'links:reed'"],
  [['project', 'list', '--data', 'a', '--stack', 'b'], 'cannot be used with'],
  [['project', 'list', '--region', 'eu-west-1'], '--region goes with --stack'],
  [['project', 'list', '--data', 'nowhere'], 'No local stack is running in nowhere'],
  [
    ['link', 'figures', 'launch', '--project', 'acme', '--days', '0'],
    "--days must be a whole number of at least 1, not '0'",
  ],
  [
    ['link', 'list', '--project', 'acme', '--limit', 'all'],
    "--limit must be a whole number of at least 1, not 'all'",
  ],
  // As npm passes it on without `--`: flags are gone, their values are left.
  [
    ['project', 'list', 'x'],
    "got 1 (flags go behind --: npm run -s admin -- project list --data DIR); see 'npm run -s admin -- project",
  ],
  [['console', '5'], '(flags go behind --: npm run -s admin -- console --data DIR); see'],
  [
    ['link', 'show', 'launch', 'acme'],
    "'--project ID' not specified (flags go behind --: npm run -s admin -- link show --data DIR)",
  ],
])('%j fails with one line', async (args, message) => {
  const failure = await admin(...args).catch(String);
  expect(failure).toContain(message);
  expect(failure).not.toContain('\n');
});

test.each([[['project', 'list', 'x', '--json']], [['key', 'list']]])(
  '%j gets no advice about flags behind --',
  async (args) => {
    const failure = await admin(...args).catch(String);
    expect(failure).toContain("see 'npm run -s admin -- ");
    expect(failure).not.toContain('flags go behind');
  },
);

test('results are printed as lines and tables', () => {
  expect(readable({ code: 'launch', platforms: { ios: 1, android: 0 }, tags: ['a', 'b'] })).toBe(
    ['code       launch', 'platforms  ios 1, android 0', 'tags       a, b'].join('\n'),
  );
  expect(
    readable([
      { id: 'a', name: 'Long name' },
      { id: 'bb', name: 'B', revokedAt: 'now' },
    ]),
  ).toBe(['id  name       revokedAt', 'a   Long name', 'bb  B          now'].join('\n'));
  expect(readable([])).toBe('(none)');
  expect(readable([{ apps: [{ package: 'x', fingerprints: ['F'] }] }])).not.toContain('[object');
});
