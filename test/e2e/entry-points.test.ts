import fc from 'fast-check';
import { analyticsItemsOf } from '../../core/analytics/analytics-items.ts';
import { trimmed } from '../../ops/transfer/trimmed.ts';
import { newApp, newLink, newProject, payload, storesOf } from '../support/api.ts';
import { badDrafts } from '../support/bad-drafts.ts';
import { aClickRecord, unique } from '../support/builders.ts';
import {
  type Body,
  byFields,
  contentOf,
  csvOf,
  type EntryPoints,
  openEntryPoints,
} from '../support/entry-points.ts';
import { extendedContext, type RunningStack } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { extendedStack, sharedStack } from '../support/stack-fixtures.ts';

/*
 * Use cases by entry points: the same input gives the same result, or the same refusal in the same words. A row names
 * every difference there is.
 */

const stack = sharedStack();
const extended = extendedStack();
const opened = (on: RunningStack, options = {}): EntryPoints =>
  ofFile(async () => openEntryPoints(on, await newProject(on, options)));
const at = opened(stack);
const unpaid = opened(stack, { subscription: 'inactive' });
const searched = opened(stack);
const full = opened(extended);

type Table = Readonly<Record<string, (code: string, input: Body, at: EntryPoints) => Promise<unknown>>>;
type Outcomes = Readonly<Record<string, unknown>>;

const saving = { ios: { bundleId: 'a.b', saveApp: true, appName: 'B' } };
const refused = (message: unknown) => ({ refused: message });
const outcomeOf = (asked: Promise<unknown>, shown: () => unknown): Promise<unknown> =>
  asked.then(shown).catch((error: Error) => refused(error.message));

interface Running {
  readonly points?: EntryPoints;
  readonly prepare?: (code: string) => Promise<unknown>;
  readonly shown?: (code: string, points: EntryPoints) => unknown;
}

/** The outcome of each use, with a link of its own: its refusal, or the later result of `shown`. */
const outcomesOf = async (table: Table, input: Body, running: Running = {}): Promise<Outcomes> => {
  const { points = at, prepare, shown = (code) => contentOf(points, code) } = running;
  const outcomes: Record<string, unknown> = {};
  for (const [name, use] of Object.entries(table)) {
    const code = unique('code');
    await prepare?.(code);
    const outcome = await outcomeOf(use(code, input, points), () => shown(code, points));
    const text = JSON.stringify(outcome).replaceAll(code, 'CODE');
    outcomes[name] = JSON.parse(text.replaceAll(points.project.id, 'PROJECT'));
  }
  return outcomes;
};

/** Whether an address in it has spaces or invisible characters at an end, which imports cut and all others refuse. */
const endsInvisibly = (draft: unknown): boolean =>
  typeof draft === 'string'
    ? /^https?:/i.test(trimmed(draft)) && trimmed(draft) !== draft
    : Object.values(draft ?? {}).some(endsInvisibly);

/** The outcomes that differ from the first one. */
const differing = (outcomes: Outcomes, same: unknown = Object.values(outcomes)[0]): Outcomes => {
  const text = JSON.stringify(same);
  return Object.fromEntries(Object.entries(outcomes).filter(([, one]) => JSON.stringify(one) !== text));
};

type Results = readonly { readonly success: boolean; readonly error: { readonly message: string } }[];
const firstOf = (results: unknown) => {
  const [one] = results as Results;
  if (!one?.success) throw new Error(one?.error.message);
};
const bulk = async ({ api }: EntryPoints, query: string, link: Body) =>
  firstOf(((await api('POST', `/links/bulk${query}`, { links: [link] })) as { results: Results }).results);

describe('create a link', () => {
  const storing: Table = {
    API: (code, link, { api }) => api('POST', '/links', { code, ...link }),
    bulk: (code, link, points) => bulk(points, '', { code, ...link }),
    command: (code, link, { command }) => command(['link', 'create', '--file', '-'], { code, ...link }),
    operators: (code, link, { operators }) => operators('createLink', { link: { code, ...link } }),
    'many by operators': async (code, link, { operators }) =>
      firstOf(await operators('createLinks', { links: [{ code, ...link }] })),
    members: (code, link, { members }) => members('createLink', { link: { code, ...link } }),
    ndjson: (code, link, { imported }) => imported('a.ndjson', JSON.stringify({ code, ...link })),
    csv: (code, link, { imported }) => imported('a.csv', csvOf({ code, ...link }) ?? ''),
  };
  const judging: Table = {
    validateOnly: (code, link, points) => bulk(points, '?validateOnly=true', { code, ...link }),
    plan: (code, link, { planned }) => planned(code, link),
  };

  const run = async (link: Body, points = at) => {
    const { csv, ...others } = storing;
    const outcomes = await outcomesOf(csvOf(link) ? storing : others, link, { points });
    const fromCsv = outcomes.csv as { refused?: string } | undefined;
    const stored = fromCsv?.refused ? { ...outcomes, csv: refused(byFields(fromCsv.refused)) } : outcomes;
    const judged = await outcomesOf(judging, link, { points, shown: () => 'valid' });
    const api = stored.API as Body;
    return {
      api,
      differing: { ...differing(stored), ...differing(judged, api.refused ? api : 'valid') },
    };
  };

  /** Files of links have a schema of their own, without unknown names and apps to save. */
  const inFile = (...faults: string[]) => ({
    plan: refused(expect.stringMatching(faults.map((one) => `links.json: links.CODE.${one}`).join('.*\n'))),
  });
  const inUtc = { expiresAt: '2040-01-01T12:00:00.000Z', status: 'ACTIVE', payload };
  // In files of other services, times before 2000 are empty values.
  const endless = { status: 'ACTIVE', payload };
  const ended = { expiresAt: '2020-01-01T00:00:00.000Z', status: 'EXPIRED', payload };

  test.each<[what: string, link: Body, but?: Outcomes]>([
    ['a destination', { payload }],
    ['name, tags and an expiry', { name: 'Sale', tags: ['B', 'b', 'a/c'], expiresAt: '2040-01-01', payload }],
    ['own fields of null', { name: null, tags: null, expiresAt: null, payload }],
    ['empty sections and lists', { tags: [], payload: { ...payload, ios: {}, social: null } }],
    ['sections', { payload: { ...payload, ios: { app_store_id: '123' }, campaign: { utm_source: 'x' } } }],
    ['a day that does not exist', { expiresAt: '2040-02-30', payload }],
    ['an offset that does not exist', { expiresAt: '2040-01-01T12:00+15:00', payload }],
    ['a private host', { payload: { link: 'http://10.0.0.1/' } }],
    ['no address', { payload: { link: 'example.com' } }],
    ['an ill-formed text', { name: 'a\ud800', payload }],
    ['an app that is not there', { payload: { ...payload, iosAppId: 'nope' } }],
    ['a misspelt name', { expires_at: '2030-01-01', payload }, inFile('expires_at: is unknown')],
    ["another service's name", { alias: 'x', payload }, inFile('alias: is unknown')],
    ['an unknown name', { payload: { ...payload, qqq: 2 } }, inFile('payload.qqq: is unknown')],
    ['an app to save', { payload: { ...payload, ...saving } }, inFile('payload.ios.save', 'payload.ios.app')],
    ['more faults than are named', { payload: { ...payload, rules: Array(20).fill({ name: 'a b' }) } }],
    ['a wrong type', { name: 5, payload }, inFile('name: must be string')],
    ['no payload', { name: 'N' }, { plan: refused('payload.link: is required') }],
    // Imports keep a link's status and its end, which may have no zone.
    ['a time without a zone', { expiresAt: '2040-01-01T12:00', payload }, { ndjson: inUtc, csv: inUtc }],
    ['a status', { status: 'PAUSED', payload }],
    ['a past expiry', { expiresAt: '2020-01-01', payload }, { ndjson: ended, csv: ended }],
    ['an expiry before 2000', { expiresAt: '1999-12-31', payload }, { ndjson: endless, csv: endless }],
  ])('with %s', async (_, link, but = {}) => {
    expect((await run(link)).differing).toEqual(but);
  });

  test('that both names an app and saves one is refused', async () => {
    const { id } = await newApp(at.project);
    const { api, differing: others } = await run({ payload: { ...payload, ...saving, iosAppId: id } });
    expect(api).toEqual(refused("payload.iosAppId: can't be given together with payload.ios.saveApp"));
    expect(Object.keys(others)).toEqual(['plan']);
  });

  test('on a short host is refused', async () => {
    const { api, differing: others } = await run({ payload: { link: `${stack.facts.shortBaseUrl}/x` } });
    expect([api, others]).toEqual([refused(expect.any(String)), {}]);
  });

  test('with a code that is taken is refused; an import compares the links', async () => {
    const { code } = await newLink(at.project, { name: 'Other' });
    const { api, differing: others } = await run({ code, payload });
    expect(api).toEqual(refused(expect.stringMatching(/^This code is taken in the project, also after/)));
    const ndjson = refused('name here: Other; in the file: not set');
    // The CSV has no column of names here, and a plan's code is its key.
    expect(others).toEqual({ ndjson, csv: refused('unchanged'), ...inFile('code: is unknown') });
  });

  test('needs a subscription, except by operators', async () => {
    const { api, differing: others } = await run({ payload }, unpaid);
    expect(api).toEqual(refused('Creating links needs an active subscription'));
    const created = { status: 'ACTIVE', payload };
    const operators = ['command', 'operators', 'many by operators', 'ndjson', 'csv'];
    expect(others).toEqual(Object.fromEntries(operators.map((one) => [one, created])));
  });

  test('beyond the number that a project may have is refused', async () => {
    const most = Number(extendedContext.linksPerProject);
    const many = Array.from({ length: most - 1 }, (_, i) => ({ code: `one-of-${i}`, payload }));
    expect(await full.api('POST', '/links/bulk', { links: many })).toMatchObject({ failed: 0 });
    // Each of three links is judged as if it came as the only one.
    const three = { links: [{ payload }, { payload }, { payload }] };
    expect(await full.api('POST', '/links/bulk?validateOnly=true', three)).toMatchObject({ failed: 0 });
    await newLink(full.project);
    const { api, differing: others } = await run({ payload }, full);
    expect([api, others]).toEqual([
      refused(expect.stringMatching(`^The project has reached its limit of ${most} links`)),
      {},
    ]);
  });

  test('with random content', async () => {
    const property = fc.asyncProperty(badDrafts, async (draft: Body) => {
      const { plan, ndjson, csv, ...others } = (await run(draft)).differing;
      expect(others).toEqual({});
      // The rows above cover imports of these.
      const isImportedOtherwise = /^(?:2040-01-01T12:00$|2020-01-01$|[01]\d{3}-)/.test(
        String(draft.expiresAt),
      );
      if (!isImportedOtherwise && !endsInvisibly(draft))
        expect([ndjson, csv]).toEqual([undefined, undefined]);
      // A plan sends the tags of a file sorted and with its owner's, and faults name their places.
      if (!('tags' in draft)) expect(plan).toBeUndefined();
    });
    await fc.assert(property, { numRuns: isNightly ? 200 : 15 });
  });
});

const whole: Table = {
  PUT: (code, link, { api }) => api('PUT', `/links/${code}`, link),
  command: (code, link, { command }) => command(['link', 'update', code, '--file', '-'], link),
};
const merging: Table = {
  PATCH: (code, link, { api }) => api('PATCH', `/links/${code}`, link),
  operators: (code, link, { operators }) => operators('updateLink', { code, link }),
  members: (code, link, { members }) => members('updateLink', { code, link }),
};

describe('update a link', () => {
  const old = { name: 'Old', tags: ['old'], payload: { ...payload, social: { title: 'T' } } };
  const prepare = (code: string) => newLink(at.project, { code, ...old });
  const stays = { ...old, status: 'ACTIVE', payload: { social: { title: 'T' }, ...payload } };

  test.each<[what: string, link: Body, but?: Outcomes]>([
    ['a destination', { payload: { link: 'https://example.com/new' } }],
    ['nothing of the own fields', { name: null, tags: null, expiresAt: null, payload }],
    ['a section of null', { payload: { ...payload, social: null } }],
    ['its own status', { status: 'ACTIVE', payload }],
    ['another status', { status: 'PAUSED', payload }],
    ['another code', { code: 'other', payload }],
    ['a misspelt name', { expires_at: '2030-01-01', payload }],
    ["another service's name", { alias: 'x', payload }],
    ['a past expiry', { expiresAt: '2020-01-01', payload }],
    ['an ill-formed text', { name: 'a\ud800', payload }],
    ['a wrong type', { payload: { link: 5 } }],
    ['an app that is not there', { payload: { ...payload, iosAppId: 'nope' } }],
    ['an app to save', { payload: { ...payload, ...saving } }],
    ['nothing to save', { payload: { ...payload, ios: { saveApp: true } } }],
    // Only PUT needs the destination.
    ['no destination', { payload: {} }, { command: stays, PATCH: stays, operators: stays, members: stays }],
  ])('to %s', async (_, link, but = {}) => {
    expect(differing(await outcomesOf({ ...whole, ...merging }, link, { prepare }))).toEqual(but);
  });

  test('to random content, as a whole and as a patch', async () => {
    const property = fc.asyncProperty(badDrafts, async (link) => {
      for (const table of [whole, merging])
        expect(differing(await outcomesOf(table, link as Body, { prepare }))).toEqual({});
    });
    await fc.assert(property, { numRuns: isNightly ? 200 : 10 });
  });
});

describe('a link in any state', () => {
  const turning = (status: string, command: string): Table => ({
    API: (code, _, { api }) => api('PUT', `/links/${code}/status`, { status }),
    members: (code, _, { members }) => members('setLinkStatus', { code, status }),
    command: (code, _, points) => points.command(['link', command, code]),
    operators: (code, _, { operators }) => operators('setLinkStatus', { code, status }),
  });
  const tagging = (add: readonly string[]): Table => ({
    API: (code, _, { api }) => api('PATCH', `/links/${code}`, { addTags: add, removeTags: ['old'] }),
    members: (code, _, { members }) => members('tagLink', { code, add, remove: ['old'] }),
    command: (code, _, { command }) => command(['link', 'tag', code, '--add', add.join(), '--remove', 'old']),
    operators: (code, _, { operators }) => operators('tagLink', { code, add, remove: ['old'] }),
  });
  const acts: Readonly<Record<string, Table>> = {
    update: { ...whole, ...merging },
    pause: turning('PAUSED', 'pause'),
    activate: turning('ACTIVE', 'activate'),
    delete: {
      API: (code, _, { api }) => api('DELETE', `/links/${code}`),
      members: (code, _, { members }) => members('deleteLink', { code }),
      command: (code, _, { command }) => command(['link', 'delete', code, '--yes']),
      operators: (code, _, { operators }) => operators('deleteLink', { code }),
    },
    tag: tagging(['new']),
    'tag too often': tagging([...'abcdefghijk']),
  };
  const states: Readonly<Record<string, (code: string) => Promise<unknown>>> = {
    active: async () => undefined,
    paused: (code) => at.api('PUT', `/links/${code}/status`, { status: 'PAUSED' }),
    blocked: (code) => at.command(['link', 'block', code]),
    expired: (code) => {
      const { update } = storesOf(stack).links;
      const now = new Date();
      const expiresAt = '2021-01-01T00:00:00.000Z';
      return update(
        { project: at.project.id, code },
        async (link) => ({ link: { ...link, expiresAt }, apps: [] }),
        { now },
      );
    },
    deleted: (code) => at.api('DELETE', `/links/${code}`),
  };
  /** Operators read which link it is, and how to free it. */
  const inApiWords = (outcome: unknown) => {
    const { refused: text } = (outcome ?? {}) as { readonly refused?: string };
    if (text === 'The project PROJECT has no link CODE') return refused('Link not found');
    if (text !== "CODE is blocked; 'link unblock CODE --project PROJECT' unblocks it") return outcome;
    return refused('The operator of this service has blocked the link; it can only be deleted');
  };

  const cases = Object.keys(acts).flatMap((act) => Object.keys(states).map((state) => [act, state] as const));
  test.each(cases)('%s: %s', async (act, state) => {
    const prepare = async (code: string) => {
      await newLink(at.project, { code, tags: ['old'] });
      await states[state]?.(code);
    };
    const shown = (code: string) => outcomeOf(Promise.resolve(), () => contentOf(at, code));
    const outcomes = await outcomesOf(acts[act] ?? {}, { name: 'N', payload }, { prepare, shown });
    const alike = Object.fromEntries(Object.entries(outcomes).map(([name, one]) => [name, inApiWords(one)]));
    // Operators tag links in whatever state they are.
    const mayDiffer = act === 'tag' && ['blocked', 'expired'].includes(state);
    expect(Object.keys(differing(alike))).toEqual(mayDiffer ? ['command', 'operators'] : []);
  });
});

test('search finds the same links', async () => {
  const rule = { name: 'r', countries: ['DE'], link: 'https://example.org/Rule' };
  await newLink(searched.project, { code: 'by-rule', payload: { ...payload, rules: [rule] } });
  await newLink(searched.project, { code: 'by-name', name: 'Ün\u200eder RULE', tags: ['a'] });
  const shop = { ios: { app_store_fallback: 'https://example.net/rule' } };
  await newLink(searched.project, { code: 'by-shop', payload: { ...payload, ...shop } });
  await newLink(searched.project, { code: 'paused', name: 'rule' });
  await searched.api('PUT', '/links/paused/status', { status: 'PAUSED' });
  const codes = (links: unknown) => (links as { code: string }[]).map(({ code }) => code);
  const searches: readonly Readonly<Record<string, string>>[] = [
    ...[{ search: 'rule' }, { search: 'ÜNDER' }, { search: 'none' }, { search: 'rule', tag: 'a' }],
    ...[
      { search: 'landing', status: 'PAUSED' },
      { search: 'RULE', status: 'ACTIVE' },
    ],
  ];
  for (const asked of searches) {
    const found = codes(await searched.api('GET', `/links?${new URLSearchParams(asked)}`));
    const options = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, value]);
    expect(codes(await searched.command(['link', 'list', ...options]))).toEqual(found);
    const shown = { ...asked, ...(asked.tag && { tag: [asked.tag] }) };
    for (const console of [searched.operators, searched.members])
      expect(codes(((await console('links', shown)) as Body).links)).toEqual(found);
    expect(found.length > 0).toBe(asked.search !== 'none');
  }
});

test('each status lists the same links, but for blocked ones', async () => {
  const points = await openEntryPoints(stack, await newProject(stack));
  for (const code of ['active', 'paused', 'blocked', 'both']) await newLink(points.project, { code });
  for (const code of ['paused', 'both'])
    await points.api('PUT', `/links/${code}/status`, { status: 'PAUSED' });
  for (const code of ['blocked', 'both']) await points.command(['link', 'block', code]);
  const codes = (links: unknown) => (links as { code: string }[]).map(({ code }) => code).sort();
  const outcomes = async (status: string) => ({
    API: codes(await points.api('GET', `/links?cursor=&status=${status}`)),
    members: codes(((await points.members('links', { status })) as Body).links),
    command: codes(await points.command(['link', 'list', '--status', status])),
    operators: codes(((await points.operators('links', { status })) as Body).links),
  });
  expect(differing(await outcomes('ACTIVE'), ['active'])).toEqual({});
  expect(differing(await outcomes('BLOCKED'), ['blocked', 'both'])).toEqual({});
  // Owners' programs rely on seeing them; operators list blocked links apart.
  const [own, apart] = [['blocked', 'both', 'paused'], ['paused']];
  expect(await outcomes('PAUSED')).toEqual({ API: own, members: own, command: apart, operators: apart });
  await points.stop();
});

test('analytics end with the days that are kept', async () => {
  const { project } = full;
  const { links } = (await full.members('links')) as { links: readonly { code: string }[] };
  const code = links[0]?.code ?? '';
  for (const days of [0, 2, 10]) {
    const time = Date.now() / 1000 - days * 86_400;
    const records = [aClickRecord({ project: project.id, code, at: time }, days + 1)];
    for (const item of analyticsItemsOf({ shard: 'shard', records }))
      await storesOf(extended).analytics.add(item);
  }
  type Shown = { count: object; series: { clicks: number }[]; groups: { countries: { clicks: number }[] } };
  type Answer = { count: object; timeseries: { clicks: number }[]; countries: { clicks: number }[] };
  const sum = (parts: readonly { clicks: number }[]) =>
    parts.reduce((total, { clicks }) => total + clicks, 0);
  const summed = ({ count, timeseries, countries }: Answer) => [count, sum(timeseries), sum(countries)];
  const range = { interval: '30d', groupBy: 'count,timeseries,countries' };
  for (const owner of [{ code }, {}] as readonly Record<string, string>[]) {
    const answer = await full.api('GET', `/analytics?${new URLSearchParams({ ...range, ...owner })}`);
    const shown = summed(answer as Answer);
    expect(shown).toEqual([expect.objectContaining({ clicks: 2 }), 2, 2]);
    const command = 'code' in owner ? ['link', 'analytics', code] : ['project', 'analytics'];
    const { count, series, groups } = ((await full.command([...command, '--days', '30'])) as Body)
      .range as Shown;
    expect(summed({ count, timeseries: series, ...groups })).toEqual(shown);
    for (const console of [full.operators, full.members]) {
      const { clicks } = (await console('analytics', { ...owner, interval: '30d' })) as Body;
      expect(summed(clicks as Answer)).toEqual(shown);
    }
  }
  // Totals of a link stay.
  expect(await full.api('GET', `/analytics?code=${code}&interval=all`)).toMatchObject({ clicks: 3 });
  expect(await full.command(['link', 'analytics', code])).toMatchObject({ clicks: 3 });
  for (const console of [full.operators, full.members])
    expect(await console('analytics', { code, interval: 'all' })).toMatchObject({
      clicks: { count: { clicks: 3 } },
    });
});
