import { type RunningConsole, startConsole } from '../../../ops/console/server.ts';
import { createKey } from '../../../ops/keys.ts';
import { createProject } from '../../../ops/projects.ts';
import { aLinkDraft, unique } from '../../support/builders.ts';
import { startTarget, type TestTarget } from '../../support/ops-target.ts';

let target: TestTarget;
let running: RunningConsole;
beforeAll(async () => {
  target = await startTarget();
  running = await startConsole({ target, name: 'A stack', flags: '', portOption: '--port', port: 0 });
});
afterAll(async () => {
  await running.stop();
  await target.db.stop();
});

/** Makes a call as the page does; resolves to its last line. */
const respond = async (name: string, input: object): Promise<string> => {
  const opened = await fetch(running.address, { redirect: 'manual' });
  const { origin, hash } = new URL(opened.headers.get('location') ?? '', running.address);
  const headers = {
    Origin: origin,
    Cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
    'X-Console-Key': hash.slice(1),
    'Content-Type': 'application/json',
  };
  const response = await fetch(`${origin}/api/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
  });
  return (await response.text()).trim().split('\n').at(-1) ?? '';
};

const turned = 'photo \u202egnp.exe';
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

test('nobody reads stored texts turned around; a file has them as they are stored', async () => {
  const project = unique('shop');
  await createProject(target, { id: project, name: turned });
  await createKey(target, { project, user: turned });
  const stored = await target.stores.projects.get(project);
  await target.stores.links.create(aLinkDraft({ project, code: 'photo', name: turned, createdBy: turned }), {
    project: stored,
    generateCode: () => 'unused',
  });
  for (const [name, input] of [
    ['projects', {}],
    ['project', { project }],
    ['keys', { project }],
    ['link', { project, code: 'photo' }],
    ['links', { project }],
    ['links', { project, q: 'photo gnp' }],
    ['project', { project: turned }],
  ] as const) {
    const text = await respond(name, input);
    expect(text).toContain('photo gnp.exe');
    expect(text).not.toMatch(marks);
  }
  expect(await respond('exportLinks', { project, format: 'ndjson' })).toContain(turned);
});
