import type { LinkStatus } from '../../core/links/link.ts';
import { openStores } from '../../core/stores.ts';
import { fileTable } from '../support/engine.ts';
import { fileFaults, loseNext } from '../support/faults.ts';
import { callApi } from '../support/function-calls.ts';
import { handlerOf } from '../support/handler-of.ts';
import { publisher } from '../support/published-links.ts';

const db = fileTable();
const faulty = fileFaults(db);
const handler = handlerOf(() => import('../../lambdas/api/update-link-status.ts'), faulty);
const aLink = () => publisher(openStores(db.table))();

const change = ({ project, code }: { project: string; code: string }, status: LinkStatus) =>
  callApi(handler, {
    ...{ method: 'PUT', path: '/links/{code}/status', params: { code } },
    ...{ project, body: { status } },
  });
const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST' } } };

/** Loses the response to the link's next write, after it is made. */
const loseAnswerAbout = ({ code }: { code: string }) =>
  loseNext(faulty, (operation, body) => operation === 'UpdateItem' && body.includes(code));

test('a status change whose response was lost succeeds, and a second one is refused', async () => {
  const link = await aLink();
  for (const status of ['PAUSED', 'ACTIVE'] as const) {
    const losses = loseAnswerAbout(link);
    expect(await change(link, status)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: link.id, code: link.code, status } },
    });
    expect(losses()).toBe(1);
    expect(await change(link, status)).toMatchObject(refusal);
  }
});

test('a refused status change stays refused if its response was lost', async () => {
  const link = await aLink();
  const losses = loseAnswerAbout(link);
  expect(await change(link, 'ACTIVE')).toMatchObject(refusal);
  expect(losses()).toBe(1);
});
