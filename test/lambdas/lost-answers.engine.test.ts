import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LinkStatus } from '../../core/links/link.ts';
import { openStores } from '../../core/stores.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { aLinkDraft, aProject } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { handlerOf } from '../support/handler-of.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const handler = handlerOf(() => import('../../lambdas/api/update-link-status.ts'), faulty);

const aLink = async () => {
  const project = aProject();
  const { links, projects } = openStores(db.table);
  await projects.create(project);
  return links.create(aLinkDraft({ project: project.id }), { project });
};

const change = async (link: { project: string; code: string }, status: LinkStatus) => {
  const answer = await handler({
    httpMethod: 'PUT',
    resource: '/1.0/links/{code}/status',
    pathParameters: { code: link.code },
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ status }),
    requestContext: {
      requestTimeEpoch: Date.now(),
      path: `/1.0/links/${link.code}/status`,
      authorizer: { project: link.project, keyId: link.project, scopes: 'links:write', user: 'ann' },
    },
  } as unknown as APIGatewayProxyEvent);
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
};

/** Loses the response to the link's next write, after it is made. */
const loseAnswerAbout = (link: { code: string }) => {
  let lost = 0;
  faulty.fault = (operation, body) => {
    if (operation !== 'UpdateItem' || !body.includes(link.code) || lost > 0) return 'none';
    lost += 1;
    return 'lose-answer';
  };
  return () => lost;
};

test('a status change whose response was lost succeeds, and a second one is refused', async () => {
  const link = await aLink();
  for (const status of ['PAUSED', 'ACTIVE'] as const) {
    const losses = loseAnswerAbout(link);
    expect(await change(link, status)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: link.id, code: link.code, status } },
    });
    expect(losses()).toBe(1);
    expect(await change(link, status)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST' } },
    });
  }
});

test('a refused status change stays refused if its response was lost', async () => {
  const link = await aLink();
  const losses = loseAnswerAbout(link);
  expect(await change(link, 'ACTIVE')).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST' } },
  });
  expect(losses()).toBe(1);
});
