import { makeShareLink } from '../../core/share-links/make-share-link.ts';
import { makeShareKey } from '../../core/share-links/share-keys.ts';
import { openStores } from '../../core/stores.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { callApi } from '../support/function-calls.ts';
import { handlerOf } from '../support/handler-of.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const stores = ofFile(() => openStores(db.table));
const handler = handlerOf(() => import('../../lambdas/api/get-link.ts'), db);

test('a link of a blocked publishable key is shown as a blocked link', async () => {
  const { id: project } = await newProject(db);
  const call = { now: new Date(), shortHosts: ['go.example.com'] };
  const template = { payload: { link: 'https://shop.example/' } };
  const makeKey = () => makeShareKey(template, { ...call, project, createdBy: 'admin' }, stores);
  const shown = async (keyId: string) => {
    const { code } = await makeShareLink(
      {},
      { ...call, caller: { project, keyId }, shortBase: 'https://go.example.com' },
      stores,
    );
    const { body } = await callApi(handler, { path: '/links/{code}', params: { code }, project });
    return [body.data.status, body.data.blocked];
  };
  const [blocked, other] = [await makeKey(), await makeKey()];
  await stores.destinations.block(blocked.keyId, new Date());
  expect(await shown(blocked.keyId)).toEqual(['PAUSED', true]);
  expect(await shown(other.keyId)).toEqual(['ACTIVE', undefined]);
});
