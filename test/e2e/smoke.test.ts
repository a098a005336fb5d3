import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { assignHost } from '../../ops/hosts/assigned-hosts.ts';
import { createProject } from '../../ops/projects/projects.ts';
import { apiChecks } from '../../ops/smoke/api-checks.ts';
import { pathChecks } from '../../ops/smoke/path-checks.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession } from '../../ops/smoke/session.ts';
import { aProject } from '../support/builders.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { expectEventually } from '../support/local-stack.ts';
import { testAtNight } from '../support/nightly.ts';
import { root } from '../support/source-files.ts';
import { extendedStack, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const extended = extendedStack();

interface Outcome {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

const smoke = async (...args: string[]) => {
  const command = ['ops/dls.js', 'smoke', '--json', ...args];
  const run = promisify(execFile)(process.execPath, command, { cwd: root });
  // A failed check still prints its outcomes.
  const { stdout, code = 0 } = await run.catch((error) => error);
  return { code, outcomes: stdout === '' ? [] : (JSON.parse(stdout) as Outcome[]) };
};

/** The data folder of the same stack with another address of its API. */
const staged = newFolder();
const withApiAt = (ApiBaseUrl: string) => {
  const outputs = { ...stack.facts.outputs, ApiBaseUrl };
  writeFileSync(path.join(staged, 'stack.json'), JSON.stringify({ ...stack.facts, outputs }));
  return staged;
};
/** As at execute-api. */
const belowStage = () => withApiAt(`${stack.facts.apiBaseUrl}/dev`);

// In every run the test of least privilege makes them, on prod.
testAtNight('all checks of a deployment succeed on the local stack', async () => {
  const deployment = await localDeployment(stack.data);
  const { id: project } = await createProject(deployment, aProject());
  const host = `${project}.acme.test`;
  await assignHost(deployment, host, { project, notFound: 'https://acme.example.com/help?a=1&b=2' });
  const { code, outcomes } = await smoke('--data', stack.data);
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(outcomes.filter(({ result }) => result === 'ok').length).toBeGreaterThan(20);
  const visited = outcomes.find(({ name }) => name === 'every assigned host reaches this deployment');
  expect(visited?.detail.split(', ')).toContain(host);
  expect(code).toBe(0);
});

testAtNight(
  "checks that depend on the address also succeed below the stage, with a pause before a path's last visits",
  async () => {
    const session = await openSession(await localDeployment(belowStage()), { pauseSeconds: 1 });
    const outcomes = await runChecks([...apiChecks, ...pathChecks], session);
    expect(outcomes.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(outcomes.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/^4 at once after 1 s/),
    );
  },
);

test('commands read from stack.json how long the stack keeps analytics', async () => {
  expect((await localDeployment(extended.data)).figuresRetentionDays).toBe(3);
});

test('waits until the gateway accepts a new plan key', async () => {
  // Takes the gateway's place until it has refused three calls.
  let refused = 0;
  const front = await listen(async ({ url = '', method = '', headers }, response) => {
    if (refused < 3) {
      refused += 1;
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      response.end('{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Not ready yet"}}');
      return;
    }
    const answer = await fetch(stack.facts.apiBaseUrl + url, {
      method,
      headers: { 'x-api-key': `${headers['x-api-key']}` },
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  const session = await openSession(await localDeployment(withApiAt(front.endpoint)), { pauseSeconds: 0 });
  const outcomes = await runChecks(apiChecks.slice(0, 1), session);
  await front.stop();
  expect(refused).toBe(3);
  expect(outcomes.map(({ name, result }) => [name, result])).toEqual([
    ['the gateway accepts the key of its plan', 'ok'],
    ['everything created here is deleted', 'ok'],
  ]);
  expect(outcomes[0]?.detail).toMatch(/^after [1-9]\d* s$/);
  const projects: { id: string }[] = await stack.admin('project', 'list');
  expect(projects.map(({ id }) => id)).not.toContain(session.project);
});

test('the logs of the functions hold no key, no address and no user agent', async () => {
  const visitor = {
    'x-sim-viewer-address': '203.0.113.77',
    'User-Agent': 'Mozilla/5.0 (a visitor of this test)',
  };
  await stack.visit('/no-such-code', visitor);
  await stack.api('POST', '/links', { body: '{', headers: visitor });
  await stack.api('GET', '/links', { key: `dls_${'B'.repeat(40)}` });
  await expectEventually(stack.log).toContain('Unauthorized');
  expect(stack.log()).not.toContain(stack.facts.apiKey);
  expect(stack.log()).not.toMatch(/dls_\w{8}|203\.0\.113|127\.0\.0\.1|Mozilla|facebookexternalhit|iPhone/);
});

test('an unknown key is one short line in the log', async () => {
  const before = stack.log().length;
  const { status } = await stack.api('GET', '/links', { key: `dls_${randomUUID().replaceAll('-', '')}` });
  expect(status).toBe(401);
  const logged = () => stack.log().slice(before);
  await expectEventually(logged).toContain('Unauthorized');
  expect(logged()).not.toMatch(/^\s+at /m);
});

test('a deployment that does not respond fails with exit code 1', async () => {
  expect((await smoke('--data', newFolder())).code).toBe(1);
});
