import { addLink } from '../../../ops/links/link-edits.ts';
import { type RedirectStatus, reachOf, reasonsOf } from '../../../ops/links/link-reach.ts';
import { setLinkStatus, showLink } from '../../../ops/links/links.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { blockDestination, blockLink, suspendProject } from '../../../ops/takedowns/takedowns.ts';
import { unique } from '../../support/builders.ts';
import { fileDeployment, projectIn } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();

const code = 'launch';

const reachAfter = async (
  change: (project: string, host: string) => Promise<unknown>,
): Promise<RedirectStatus> => {
  const project = unique('shop');
  const host = `${unique('foo')}.example.org`;
  await createProject(deployment, { id: project });
  const split = [{ name: 'a', percent: 50, link: `https://www.${host}/a` }];
  await addLink(deployment, project, {
    code,
    payload: {
      link: 'https://example.com/',
      social: { image: `https://pictures.${host}/x.png` },
      rules: [{ name: 'half', split }],
    },
  } as never);
  await change(project, host);
  return reachOf(deployment, await showLink(deployment, project, code));
};

test('a link that leads on has no reason not to', async () => {
  const reach = await reachAfter(async () => undefined);
  expect([reach, reasonsOf(reach)]).toEqual([{ blockedHosts: [] }, []]);
});

test.each<[string, (project: string) => Promise<unknown>, string]>([
  ['SUSPENDED', (project) => suspendProject(deployment, project), 'is suspended since 20'],
  [
    'BLOCKED',
    (project) => blockLink(deployment, { project, code }, 'phishing'),
    '(phishing): visitors get the 404',
  ],
  ['PAUSED', (project) => setLinkStatus(deployment, project, code, 'PAUSED'), 'until it is activated'],
])('a link shows that it is %s', async (state, change, words) => {
  const reach = await reachAfter(change);
  expect(reach.stopped?.state).toBe(state);
  expect(reasonsOf(reach)).toEqual([expect.stringContaining(words)]);
});

test('a suspension comes before other reasons, and an expiry has its time', async () => {
  const both = await reachAfter(async (project) => {
    await blockLink(deployment, { project, code });
    await suspendProject(deployment, project);
  });
  expect(both.stopped?.state).toBe('SUSPENDED');
  const project = await projectIn(deployment);
  await addLink(deployment, project, { code, payload: { link: 'https://example.com/' } } as never);
  const link = await showLink(deployment, project, code);
  const expired = { ...link, status: 'EXPIRED', expiresAt: '2026-01-01T00:00:00.000Z' } as const;
  expect(reasonsOf(await reachOf(deployment, expired))).toEqual([
    'The link expired at 2026-01-01 00:00 UTC: visitors get the 404 page, permanently.',
  ]);
});

test('blocked hosts are reported, wherever the link leads to them except for its image', async () => {
  let blocked = '';
  const reach = await reachAfter((_, host) => {
    blocked = `www.${host}`;
    return blockDestination(deployment, host);
  });
  expect(reach).toEqual({ blockedHosts: [blocked] });
  expect(reasonsOf(reach)[0]).toContain(`${blocked} is a blocked destination`);
});
