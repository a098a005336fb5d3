import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { generateCode } from '../../core/links/code-generator.ts';
import type { LinkStatus } from '../../core/links/link.ts';
import { openStores } from '../../core/stores.ts';
import { type FaultyEngine, startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { aLinkDraft, aProject } from '../support/builders.ts';
import { startTable, type TestTable, tableName } from '../support/engine.ts';

let db: TestTable;
let faulty: FaultyEngine;
let handler: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
beforeAll(async () => {
  db = await startTable();
  faulty = await startFaultyEngine(db.endpoint);
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    SHORT_BASE: 'https://go.example.com',
    AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  ({ handler } = await import('../../lambdas/api/update-link-status.ts'));
});
afterAll(async () => {
  await faulty.stop();
  await db.stop();
});

const aLink = async () => {
  const project = aProject();
  const { links, projects } = openStores(db.table);
  await projects.create(project);
  return links.create(aLinkDraft({ project: project.id }), { project, generateCode });
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
