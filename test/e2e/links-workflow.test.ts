import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { testAtNight } from '../support/nightly.ts';
import { root, textOf } from '../support/source-files.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

/* The action as the workflow in docs/links-as-code.md uses it, in a checkout with the file that the page shows. */

const stack = sharedStack();
const project = projectOn(stack);
const page = textOf('docs/links-as-code.md');
const [file = '', workflow = ''] = [...page.matchAll(/`{3,4}yaml\n(.*?)\n`{3,4}\n/gs)].map(
  ([, text = '']) => text,
);

const folder = newFolder();
const commands = path.join(folder, 'commands');
beforeAll(() => {
  mkdirSync(path.join(folder, 'links'));
  writeFileSync(path.join(folder, 'links/web.yaml'), file);
  mkdirSync(commands);
  // The package as its sources, and a GitHub that keeps all it gets.
  const program = path.join(root, 'client/program/dynamic-links.ts');
  const npx = `#!/bin/sh\ntest -z "\${GH_TOKEN-}" || exit 9\nshift 3\nexec '${process.execPath}' '${program}' "$@"\n`;
  // It finds the earlier comment, if there is one, and sees no key of the service.
  const gh = `#!/bin/sh
echo "$@" >> said.txt
test -z "\${DLS_KEY-}" && test -n "$GH_TOKEN" || exit 9
case "$*" in
  'pr comment '*) cp "$5" shown.md ;;
  *PATCH*) cp "\${7#body=@}" shown.md ;;
  *) test ! -e shown.md || echo 'https://github.com/owner/name/pull/7#issuecomment-12' ;;
esac
`;
  for (const [name, text] of Object.entries({ npx, gh, npm: '#!/bin/sh\n' }))
    writeFileSync(path.join(commands, name), text, { mode: 0o755 });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(textOf('action.yml')) as Action;
const isAction = ({ uses }: Step) => uses === 'OWNER/REPOSITORY@COMMIT';

/** GitHub's values for expressions. */
const filledIn = (text: string, inputs: Readonly<Record<string, string>>): string => {
  const values: Readonly<Record<string, string>> = {
    'vars.DLS_URL': stack.facts.apiBaseUrl,
    'secrets.DLS_READ_KEY': project.key,
    'secrets.DLS_KEY': project.key,
    'github.token': 'token',
    'github.event.pull_request.number': '7',
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  return text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`Nothing has ${name}`);
    return values[name];
  });
};

/** Runs the action of a job as GitHub does, by the shell that every system has. Resolves to its output and exit code. */
const runJob = async (name: string) => {
  const { jobs } = parse(workflow) as Workflow;
  const [step] = jobs[name]?.steps.filter(isAction) ?? [];
  const given = Object.entries(step?.with ?? {}).map(([input, value]) => [
    input,
    filledIn(String(value), {}),
  ]);
  const defaults = Object.entries(action.inputs).flatMap(([input, { default: value }]) =>
    value === undefined ? [] : [[input, value]],
  );
  const inputs = Object.fromEntries([...defaults, ...given]);
  const [{ run = '', env = {} }] = action.runs.steps as [Step];
  return new Promise<{ status: number; printed: string }>((resolve) => {
    const environment = {
      PATH: `${commands}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      GITHUB_ACTION_PATH: root,
      ...Object.fromEntries(Object.entries(env).map(([one, value]) => [one, filledIn(value, inputs)])),
    };
    execFile('sh', ['-e', '-c', run], { cwd: folder, env: environment }, (error, out) =>
      resolve({ status: error ? Number(error.code) : 0, printed: out }),
    );
  });
};

const shown = () => readFileSync(path.join(folder, 'shown.md'), 'utf8');

test('only the commands that need keys see them, and no code that is named by a tag', () => {
  const { jobs } = parse(workflow) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const holds = (value: unknown) => /secrets|github\.token/.test(JSON.stringify(value));
  const trusted = steps.filter(holds);
  expect(trusted.map(isAction)).toEqual([true, true]);
  const required = Object.entries(action.inputs).filter(([, input]) => input.required);
  for (const one of trusted) expect(Object.keys(one.with ?? {})).toEqual(required.map(([name]) => name));
  // No input becomes a part of a command that a shell reads.
  for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  expect([action.runs.using, action.runs.steps.length]).toEqual(['composite', 1]);
  // Beside these steps nothing names a secret: neither a job nor the whole workflow.
  const others = JSON.parse(JSON.stringify(parse(workflow)), (name, value) =>
    name === 'steps' ? value.filter((step: Step) => !holds(step)) : value,
  );
  expect(holds(others)).toBe(false);
  // The same commits as in the workflows here, which are kept up to date.
  const known = textOf('.github/workflows/ci.yml');
  const used = [...workflow.matchAll(/uses: (actions\/.*)/g)].map(([, one = '']) => one);
  expect(used.length).toBe(4);
  for (const one of used) expect(known).toContain(`uses: ${one}\n`);
  for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout')))
    expect(step.with).toEqual({ 'persist-credentials': false });
});

test('no script of a package runs where a key is', () => {
  const { jobs } = parse(workflow) as Workflow;
  const installs = Object.values(jobs).map(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(installs).toEqual([['npm ci --ignore-scripts'], ['npm ci --ignore-scripts']]);
});

const said = () => readFileSync(path.join(folder, 'said.txt'), 'utf8').trim().split('\n');

testAtNight('a pull request shows its plan, and main applies it', async () => {
  const planned = await runJob('plan');
  expect(planned).toEqual({ status: 0, printed: expect.stringMatching(/^\+ create launch\n/) });
  expect(shown()).toMatch(
    /^<!-- dynamic-links plan -->\n```diff\n2 create,.*\n\+ create launch\n\+ create old: begins paused\n```\n$/,
  );
  expect(said()[1]).toMatch(/^pr comment 7 /);
  expect(await runJob('apply')).toEqual({ status: 0, printed: expect.stringContaining('2 done, 0 failed') });
  expect(await runJob('plan')).toMatchObject({ status: 0 });
  expect(shown()).toMatch(/diff\n0 create,.* 2 unchanged,/);
  expect(said().slice(2)).toEqual([
    expect.stringMatching(/^api --paginate graphql .*viewerDidAuthor/),
    expect.stringMatching(/^api --silent --method PATCH repos\/\{owner\}\/\{repo\}\/issues\/comments\/12 /),
  ]);
});

testAtNight('a mistake in a file fails both, and the comment names it', async () => {
  const faulty = path.join(folder, 'links/web.yaml');
  writeFileSync(faulty, `${file}\nunknown: 1\n`);
  expect((await runJob('plan')).status).toBe(1);
  expect(shown()).toMatch(/-->\nThe plan failed:\n```diff\nlinks\/web\.yaml: .*unknown.*\n```\n$/);
  expect((await runJob('apply')).status).toBe(1);
  writeFileSync(faulty, file);
});

describe('the comment of a plan', () => {
  /** The action's comment for a printed plan. */
  const commentOf = async (plan: string, exit = 2) => {
    writeFileSync(path.join(folder, 'plan'), plan);
    const others = path.join(folder, 'others');
    mkdirSync(others, { recursive: true });
    writeFileSync(path.join(others, 'npx'), `#!/bin/sh\ncat plan\nexit ${exit}\n`, { mode: 0o755 });
    const env = { PATH: `${others}:${commands}:${process.env.PATH}`, COMMAND: 'plan', FILES: 'links/*.yaml' };
    const more = { DLS_KEY: 'key', GH_TOKEN: 'token', PULL_REQUEST: '7' };
    const run = promisify(execFile)('sh', [path.join(root, 'client/links-action.sh')], {
      ...{ cwd: folder, env: { ...env, ...more }, maxBuffer: 10_000_000 },
    });
    expect((await run).stdout).toBe(plan);
    return shown();
  };

  test('begins with changes, lists its omissions, and leaves the whole to the log', async () => {
    const change = '~ update zlaunch\n    payload.link: https://example.com/ → https://evil.example.com/\n';
    const creations = Array.from({ length: 3700 }, (_, i) => `+ create a-new-link-${i}\n`).join('');
    const counts = '3700 create, 1 update\n';
    const comment = await commentOf(creations + change + counts);
    const [, fence, ...lines] = comment.trimEnd().split('\n');
    expect(fence).toBe('```diff');
    expect(`${lines.slice(0, 3).join('\n')}\n`).toBe(change + counts);
    const left = 3700 - (lines.length - 5);
    expect(lines.slice(-2)).toEqual([`… and ${left} more lines: see the log of this step`, '```']);
    expect(Buffer.byteLength(comment)).toBeLessThan(61_000);
    expect(lines.length).toBeGreaterThan(2000);
  });

  test.each([
    ['```', '    ```'],
    ['  ````', '      ````'],
    ['a\r```', 'a ```'],
  ])("isn't ended by the line %j", async (line, shownLine) => {
    const comment = await commentOf(`first\n${line}\n<img>\n`);
    expect(comment).toBe(`<!-- dynamic-links plan -->\n\`\`\`diff\nfirst\n${shownLine}\n<img>\n\`\`\`\n`);
  });

  test("replaces the token's own comment", async () => {
    // As gh runs it, by a jq that not everybody has.
    const { status, error } = spawnSync('jq', ['--version']);
    if (error || status !== 0) return;
    const filter = textOf('client/links-action.sh').match(/--jq "(.*)" \|$/m)?.[1] ?? '';
    const mark = '<!-- dynamic-links plan -->';
    const comment = (url: string, viewerDidAuthor: boolean, body: string) => ({ url, viewerDidAuthor, body });
    const nodes = [
      comment('#issuecomment-1', false, mark),
      comment('#issuecomment-2', true, `${mark}\n`),
      comment('#issuecomment-3', true, 'Thanks'),
      comment('#issuecomment-4', false, mark),
    ];
    const input = JSON.stringify({ data: { repository: { pullRequest: { comments: { nodes } } } } });
    const program = filter.replaceAll('\\"', '"').replace('$mark', mark);
    expect(spawnSync('jq', ['-r', program], { input, encoding: 'utf8' }).stdout).toBe('#issuecomment-2\n');
  });

  test('leaves nothing out of a short plan', async () => {
    const plan = '! refused a: it has expired\n+ create b\n1 create\n';
    expect(await commentOf(plan)).toBe(
      '<!-- dynamic-links plan -->\n```diff\n! refused a: it has expired\n1 create\n+ create b\n```\n',
    );
  });
});
