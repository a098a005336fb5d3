import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { commands } from '../../../ops/command-line/commands.ts';
import { runAdmin } from '../../../ops/command-line/program.ts';
import { readable } from '../../../ops/command-line/readable.ts';
import { outputOf } from '../../support/command.ts';

const admin = (...args: string[]): Promise<string> => outputOf(args);
const called = (args: readonly string[], environment: NodeJS.ProcessEnv) => outputOf(args, { environment });

/** The required arguments of each command, so that it would run without --help. */
const enough = commands.map((command) => ({
  command,
  args: [
    ...command.name.split(' '),
    ...Object.values(command.arguments).map(({ choices }) => choices?.[0] ?? 'some'),
    ...Object.entries(command.options).flatMap(([name, { required, choices }]) =>
      required ? [`--${name}`, choices?.[0] ?? 'some'] : [],
    ),
  ],
}));

test.each(enough)('$command.name --help prints help and does nothing else', async ({ command, args }) => {
  const place = command.place.includes('data') ? ['--data', 'nowhere'] : [];
  const help = await admin(...args, ...place, '--help');
  expect(await admin('help', ...command.name.split(' '))).toBe(help);
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(help).toContain(`npx dls ${command.name}`);
  expect(help.replaceAll(/\s+/g, ' ')).toContain(command.summary);
  for (const name of Object.keys(command.options)) expect(help).toContain(`--${kebab(name)}`);
});

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

test('help lists every command', async () => {
  const asked = await admin('--help');
  expect(await admin()).toBe(asked);
  for (const options of [['--json'], ['--data', 'DIR'], ['--stack=S']])
    expect(await admin('help', 'link', 'create', ...options)).toBe(await admin('link', 'create', '--help'));
  // Each in one line of 80 columns, below its group.
  const lines = asked.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  for (const { name } of commands)
    expect(lines.filter((line) => line.startsWith(`  ${name} `))).toEqual([
      expect.stringMatching(/^ {2}\S+( \S+)? {2,}\S.*\S$/),
    ]);
  expect(lines.filter((line) => /^\S.*:$/.test(line))).toEqual([
    ...['Options:', 'Every day:', 'Operate:', 'Moderate:', 'Develop:'],
  ]);
  const listed = lines.slice(lines.indexOf('Every day:')).filter((line) => line.startsWith('  '));
  expect(listed).toHaveLength(commands.length);
  expect(asked).toContain("COMMAND --help' or 'npx dls help COMMAND' explains a command");
  expect(await admin('help')).toBe(asked);
  await expect(admin('help', 'castle')).rejects.toThrow("There is no command 'castle'");
});

test.each(['start', 'deploy'])(
  '%s says that it needs the repository, where that is missing',
  async (name) => {
    const terminal = { print: () => {}, write: async () => {}, progress: () => {}, input: async () => '' };
    await expect(runAdmin([name], terminal, {})).rejects.toThrow(
      `'${name}' needs the repository of dynamic-link-service: clone it`,
    );
  },
);

test('help lists each choice once', async () => {
  expect(await admin('link', 'import', '--help')).not.toContain('(choices:');
  expect(await admin('key', 'create', '--help')).toContain('links:read, links:write');
});

test.each([
  [['project', 'create'], "Missing required argument 'ID'; see 'npx dls project create --help'"],
  [
    ['link', 'list', '--tag', 'a', 'b', '--project', 'p', '--', '-c'],
    "Too many arguments: 'b', '-c'. Expected 0",
  ],
  [['key', 'list', '--', '--projekt'], "Required option '--project ID'"],
  [['completion', 'tcsh'], "'tcsh' isn't a valid value. Allowed choices are bash, zsh, fish"],
  [['key', 'create', '--project', 'acme', '--scopes', 'links:reed'], "There is no scope 'links:reed'"],
  [['project', 'list', '--data', 'a', '--stack', 'b'], 'cannot be used with'],
  [['project', 'list', '--region', 'eu-west-1'], '--region goes with --stack'],
  [
    ['project', 'list', '--data', 'nowhere'],
    `No local stack is running in nowhere of ${process.cwd()}: start`,
  ],
  [
    ['link', 'analytics', 'launch', '--project', 'acme', '--days', '0'],
    "--days must be a whole number of at least 1, not '0'",
  ],
  [
    ['link', 'list', '--project', 'acme', '--limit', 'all'],
    "--limit must be a whole number of at least 1, not 'all'",
  ],
  [['project', 'list', '--profile', 'work'], '--profile goes with --stack'],
  [['preflight', '--data', 'b'], "'preflight' takes no --data; see 'npx dls preflight --help'"],
])('%j fails with one line', async (args, message) => {
  const failure = await admin(...args).catch(String);
  expect(failure).toContain(message);
  expect(failure).not.toContain('\n');
});

// As npm passes it on without `--`: flags are gone, their values are left.
test.each([
  [['project', 'list', 'x'], 'got 1 (put flags after --: npm run -s admin -- project list --data DIR); see'],
  [['console', '5'], '(put flags after --: npm run -s admin -- console --data DIR); see'],
  [
    ['link', 'pause', 'launch', 'acme'],
    "'--project ID' not specified (put flags after --: npm run -s admin -- link pause --data DIR)",
  ],
])('%j gets advice about flags only in a script of npm', async (args, message) => {
  const ofScript = await called(args, { npm_lifecycle_event: 'admin' }).catch(String);
  expect(ofScript).toContain(message);
  const ofNpx = await called(args, { npm_lifecycle_event: 'npx' }).catch(String);
  expect(ofNpx).not.toContain('flags go behind');
});

test.each([[['project', 'list', 'x', '--json']], [['key', 'list']]])(
  '%j gets no advice about flags behind --',
  async (args) => {
    const failure = await called(args, { npm_lifecycle_event: 'admin' }).catch(String);
    expect(failure).toContain("see 'npx dls ");
    expect(failure).not.toContain('flags go behind');
  },
);

test('a fault of only the call is a usage error', async () => {
  for (const args of [
    ['nonsense'],
    ['project', 'create', '?'],
    ['project', 'delete', 'x'],
    ['conformance'],
    ['deploy', '-c', 'stage=?!'],
    ['start', '-c', 'stage=?!'],
    ['start', '-c', 'nonsense=1'],
  ])
    await expect(admin(...args)).rejects.toBeInstanceOf(UsageError);
  await expect(admin('project', 'list', '--data', 'nowhere')).rejects.not.toBeInstanceOf(UsageError);
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const option of ['--version', '-v']) expect(await admin(option)).toBe(version);
});

// A small image may lack it.
const withBash = spawnSync('bash', ['-c', '']).status === 0 ? test : test.skip;

withBash.each(['bash', 'zsh'] as const)('%s completes nouns, verbs, options and choices', async (shell) => {
  const script = (await admin('completion', shell)).replace(/^autoload.*\n/, '');
  const cases: [typed: string, completion: string][] = [
    ['proj', 'project'],
    ['project sus', 'suspend'],
    ['link create --proj', '--project'],
    ['link list --status PA', 'PAUSED'],
    ['link list --status pa', ''],
    // After an option comes its value, which can't be completed.
    ...['project', 'tag', 'limit', 'data', 'stack'].map(
      (one) => [`link list --${one} ''`, ''] as [string, string],
    ),
    ['link delete --yes --proj', '--project'],
    ['start --mem', '--memory'],
    ['completion f', 'fish'],
    ['hel', 'help'],
    ['help proj', 'project'],
    ['help h', ''],
    ['help link ex', 'export'],
    ['help link export --', ''],
  ];
  const complete = `of() { COMP_WORDS=(dls "$@"); COMP_CWORD=$#; COMPREPLY=(); _dls; echo "\${COMPREPLY[@]}"; }`;
  const calls = [script, complete, ...cases.map(([typed]) => `of ${typed}`)];
  const completions = execFileSync('bash', ['-c', calls.join('\n')], { encoding: 'utf8' }).split('\n');
  expect(cases.map(([typed], i) => [typed, completions[i]])).toEqual(cases);
});

test('fish gets a line for each command and option', async () => {
  const script = await admin('completion', 'fish');
  expect(script).toContain("complete -c dls -f -n __fish_use_subcommand -a 'project'");
  expect(script).toMatch(
    /^complete -c dls -f -n '__fish_seen_subcommand_from help; and not [^']* link [^']*' -a '[^']*project/m,
  );
  expect(script).toMatch(
    /__fish_seen_subcommand_from link; and __fish_seen_subcommand_from create' -l file$/m,
  );
  expect(script).toMatch(/^complete -c dls -r -n '[^']*link; and [^']* list' -l project$/m);
  expect(script).toMatch(/^complete -c dls -x -a 'ACTIVE PAUSED EXPIRED BLOCKED' -n .* -l status$/m);
  // `link export` is no `export`.
  const ofExport = script
    .split('\n')
    .filter(
      (line: string) => line.includes("'redrive'") || / -n '__fish_seen_subcommand_from export/.test(line),
    );
  expect(ofExport.length).toBeGreaterThan(2);
  for (const line of ofExport) expect(line).toContain('export; and not __fish_seen_subcommand_from link;');
});

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
  const links = [
    { code: 'launch', link: 'https://example.com/summer', tags: [] },
    { code: 'b', link: 'https://example.com/b', tags: ['a'] },
  ];
  expect(readable(links, 30)).toBe(
    'code  launch\nlink  https://example.com/summer\ntags\n\ncode  b\nlink  https://example.com/b\ntags  a',
  );
  for (const columns of [50, 80, undefined])
    expect(readable(links, columns)).toMatch(/^code {4}link {2,}tags\n/);
  expect(readable([])).toBe('(none)');
  expect(readable([{ apps: [{ package: 'x', fingerprints: ['F'] }] }])).not.toContain('[object');
});

test('a field without a value is left out, as in JSON', () => {
  expect(readable({ host: 'a.example', root: undefined })).not.toContain('root');
  const [names] = readable([
    { host: 'a.example', root: undefined, project: 'a' },
    { host: 'b.example', root: undefined, notFound: 'https://b.example/', project: 'b' },
  ]).split('\n');
  expect(names?.trim().split(/ +/)).toEqual(['host', 'project', 'notFound']);
});

test('cost takes the number of visits, and how they arrive', async () => {
  await expect(admin('cost')).rejects.toThrow('--visits');
  await expect(admin('cost', '--visits', '5', '--clicks', 'lukewarm')).rejects.toThrow(UsageError);
});
