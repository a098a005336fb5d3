import { anId, coded, newLink, payload } from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();
const links = (code: string) => project.call('GET', `/links/${code}`);

test('concurrent updates all take effect', async () => {
  const { code } = await newLink(project);
  const sections = {
    social: { title: 'T' },
    campaign: { utm_source: 's' },
    desktop_fallback: 'https://example.com/d',
  };
  const changes = [
    ...Object.entries(sections).map(([section, value]) => ({ payload: { ...payload, [section]: value } })),
    { payload, name: 'N' },
    { payload, expiresAt: '2099-01-01T00:00:00.000Z' },
    { payload: { ...payload, ios: { bundleId: 'b', saveApp: true, appName: 'A' } } },
  ];
  const answers = await Promise.all(changes.map((body) => project.call('PUT', `/links/${code}`, body)));
  expect(statuses(answers)).toEqual(changes.map(() => 200));
  const { body } = await links(code);
  expect(body.data).toMatchObject({
    name: 'N',
    expiresAt: '2099-01-01T00:00:00.000Z',
    payload: { ...payload, ...sections, ios: { bundleId: 'b' }, iosAppId: anId },
  });
});

/** Pauses and activates a new link until it has expired: the times of its changes, and the response then. */
const changedUntilExpired = async (lifeMs: number) => {
  const expiresAt = new Date(Date.now() + lifeMs).toISOString();
  const { code } = await newLink(project, { expiresAt });
  const changes: string[] = [];
  for (let status = 'PAUSED'; ; status = status === 'PAUSED' ? 'ACTIVE' : 'PAUSED') {
    const answer = await project.call('PUT', `/links/${code}/status`, { status });
    if (answer.status !== 200) return { code, expiresAt, changes, answer };
    changes.push(answer.body.data.updatedAt);
  }
};

test('no call pauses or activates a link past its expiry, to the millisecond', async () => {
  let tried = await changedUntilExpired(600);
  // A busy machine needs longer for two calls.
  for (let lifeMs = 1200; tried.changes.length < 2; lifeMs *= 2) tried = await changedUntilExpired(lifeMs);
  const { code, expiresAt, changes, answer } = tried;
  expect(answer).toMatchObject({ status: 400, body: coded('BAD_REQUEST') });
  // Changes carry the gateway's time, which also decides the expiry.
  for (const changedAt of changes) expect(changedAt < expiresAt).toBe(true);
  const { data: shown } = (await links(code)).body;
  expect(shown).toMatchObject({ status: 'EXPIRED', updatedAt: changes.at(-1) });
  for (const again of ['ACTIVE', 'PAUSED']) {
    expect((await project.call('PUT', `/links/${code}/status`, { status: again })).status).toBe(400);
  }
});
