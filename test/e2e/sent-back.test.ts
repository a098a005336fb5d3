import { packsOf } from '../../core/click-export/click-rows.ts';
import { linkEvent } from '../../core/events/link-change.ts';
import { visitEvents } from '../../core/events/visit-events.ts';
import { foreignLinkNames } from '../../core/links/link-schema.ts';
import type { Deployment } from '../../ops/deployment/deployment.ts';
import { exportLinks } from '../../ops/transfer/export.ts';
import { fullPayload, newApp, newLink, payload, storesOf } from '../support/api.ts';
import { aClickRecord } from '../support/builders.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

type Shown = Readonly<Record<string, unknown>>;

const responses = async (code: string): Promise<Shown[]> => {
  const app = await newApp(project);
  const paths = [
    ...[`/links/${code}`, '/links', '/links?cursor=', `/links/check/${code}`, '/tags', '/usage'],
    ...['/mobile-apps', `/mobile-apps/${app.id}`, '/analytics', '/analytics?groupBy=links'],
    ...[`/analytics?groupBy=excluded&code=${code}`, '/analytics?groupBy=timeseries&interval=24h'],
  ];
  const bodies = await Promise.all(paths.map(async (path) => (await project.call('GET', path)).body));
  const made = await project.call('POST', '/links/bulk', { links: [{ payload }, {}] });
  const file = await stack.visit(`/${project.id}/${code}/link.json`);
  expect([made.status, file.status]).toEqual([200, 200]);
  return [...bodies, made.body, JSON.parse(file.text)];
};

const events = async (code: string): Promise<Shown[]> => {
  const stores = storesOf(stack);
  const { link } = await stores.links.get(project.id, code);
  const context = {
    project: await stores.projects.get(project.id),
    shortBase: stack.facts.shortBaseUrl,
    apps: new Set<string>(),
  };
  const now = Date.now();
  const change = { project: project.id, takenIn: now, at: now, of: ['one'], link, by: 'ann' };
  const before = { ...link, name: 'Before', tags: [], expiresAt: undefined, status: 'PAUSED' as const };
  const changes = (['link.created', 'link.updated', 'link.deleted', 'link.expired'] as const).map((type) =>
    linkEvent({ ...change, type, before }, context),
  );
  const click = aClickRecord({ code }, 1);
  const shown = {
    id: 'x',
    clickedAt: new Date(now).toISOString(),
    openedAt: '',
    first: true,
    ...click,
  };
  const visits = (['link.clicked', 'app.opened'] as const).flatMap((type) =>
    visitEvents([{ type, project: project.id, takenIn: now, at: now, id: 'x', shown }]),
  );
  return [...changes, ...visits].map((event) => JSON.parse(event?.body ?? ''));
};

const rows = async (code: string): Promise<Shown[]> => {
  const deployment = { stores: storesOf(stack), shortBase: stack.facts.shortBaseUrl } as Deployment;
  let text = '';
  await exportLinks(deployment, { project: project.id, codes: [code] }, async (part) => {
    text += part;
  });
  const clicks = packsOf({ shard: 'shardId-000000000000', records: [aClickRecord({ code }, 1)] });
  return [text, ...clicks.map(({ data }) => data)].map((line) => JSON.parse(line));
};

/** An object and every object in it that isn't a part of a link's payload. */
const objectsIn = (value: unknown): Shown[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { payload: _, ...rest } = value as Shown;
  return [value as Shown, ...Object.values(rest).flatMap(objectsIn)];
};

const listed = foreignLinkNames.map(([name]) => name);

/** A body of the shown fields, without names that are listed as ambiguous, such as `link` outside the payload. */
const bodyOf = (shown: Shown): Shown => ({
  payload,
  ...Object.fromEntries(Object.entries(shown).filter(([name]) => !listed.includes(name))),
});

test('links of responses, events and exports may be sent back', async () => {
  const { code } = await newLink(project, {
    ...{ code: 'shown-back', name: 'N', tags: ['a'], payload: fullPayload, expiresAt: '2099-01-01' },
  });
  const all = [...(await responses(code)), ...(await events(code)), ...(await rows(code))].flatMap(objectsIn);
  expect(all.length).toBeGreaterThan(40);
  const kept = (await project.call('GET', `/links/${code}`)).body.data;
  for (const shown of all) {
    const body = bodyOf(shown);
    const created = await project.call('POST', '/links', { ...body, code: undefined });
    expect([shown, created.status, created.body.error]).toEqual([shown, 201, undefined]);
    const isOther = ['status', 'code'].some((name) => (body[name] ?? kept[name]) !== kept[name]);
    for (const method of ['PUT', 'PATCH']) {
      const { status, body: returned } = await project.call(method, `/links/${code}`, body);
      expect([method, shown, status]).toEqual([method, shown, isOther ? 400 : 200]);
      if (isOther) expect(returned.error.message).toMatch(/^(code: can't|status: is ACTIVE)/);
    }
  }
});
