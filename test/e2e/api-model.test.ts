import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Contract } from '../../core/api/endpoint.ts';
import { api } from '../../core/api/index.ts';
import { aTime, newProject, type TestProject } from '../support/api.ts';
import { drawn, drawnRead } from '../support/api-arbitraries.ts';
import { ProjectModel } from '../support/api-model.ts';
import { type Expected, ok } from '../support/api-model-apps.ts';
import { isNightly } from '../support/nightly.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const runs = Number(process.env.MODEL_RUNS ?? (isNightly ? 30 : 5));

const stack = sharedStack();

type Model = readonly ProjectModel[];
type Real = readonly TestProject[];

// biome-ignore lint/suspicious/noExplicitAny: fast-check draws the request
type Drawn = any;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Answers of several calls as one. */
  readonly follow?: (project: TestProject) => Promise<Drawn>;
  /** A response, or the contract that any response must meet. */
  readonly expected: Expected | Contract;
}

type Make = (drawn: Drawn, model: ProjectModel, appId: (n: number) => string) => Request;

/** A request to one of two projects; apps are drawn by number, including the other project's and unknown ones. */
class Call implements fc.AsyncCommand<Model, Real> {
  readonly #project: number;
  readonly #name: string;
  readonly #drawn: Drawn;
  readonly #make: Make;

  constructor(project: number, name: string, drawn: Drawn, make: Make) {
    this.#project = project;
    this.#name = name;
    this.#drawn = drawn;
    this.#make = make;
  }

  check = () => true;

  async run(models: Model, real: Real): Promise<void> {
    const [model, project] = [models[this.#project], real[this.#project]];
    if (!model || !project) throw new Error('There are two projects');
    const ids = models.flatMap(({ apps }) => [...apps.keys()]);
    const appId = (n: number) => ids[n % (ids.length + 1)] ?? unknownId;
    const request = this.#make(this.#drawn, model, appId);
    const answer = await meets(project, request);
    // The effect of a command is visible at once.
    const shownLinks = new Map<string, Drawn>();
    for (const code of codesOf(answer.data, this.#drawn)) {
      const { data } = await meets(project, { ...get(`/links/${code}`), expected: model.getLink(code) });
      shownLinks.set(code, data);
    }
    for (const { code, field, app } of model.unread.splice(0)) {
      const id = shownLinks.get(code).payload[field];
      const shown = await project.call('GET', `/mobile-apps/${id}`);
      expect(shown.body.data).toEqual({ ...app, id });
      model.apps.set(id, shown.body.data);
    }
  }

  toString = () => `${this.#project} ${this.#name} ${JSON.stringify(this.#drawn)}`;
}

/** The codes of a command's links. */
const codesOf = (data: Drawn, drawn: Drawn): string[] => {
  const many = (data?.results ?? []).flatMap(({ link }: Drawn) => (link ? [link.code] : []));
  const one = data?.code ?? drawn.code;
  return one === undefined ? many : [one];
};

/** Other tests check the number of calls used. */
const usage = ok({
  limit: 180_000,
  used: expect.any(Number),
  remaining: expect.any(Number),
  resetAt: aTime,
  windowSeconds: 3600,
});

const unknownId = randomUUID();
const get = (path: string) => ({ method: 'GET', path });

/** The links of all pages of a walk, as one answer. */
const walk = async (project: TestProject, query: Record<string, string | number>): Promise<Drawn> => {
  const data: Drawn[] = [];
  for (let cursor = ''; ; ) {
    const asked = new URLSearchParams({ ...query, cursor } as Record<string, string>);
    const { status, body } = await project.call('GET', `/links?${asked}`);
    expect(status).toBe(200);
    data.push(...body.data);
    const { nextCursor, ...others } = body.pagination;
    expect(others).toEqual({ pageSize: query.pageSize });
    if (nextCursor === null) return { status, body: { success: true, data } };
    cursor = nextCursor;
  }
};

const meets = async (project: TestProject, { method, path, body, headers, follow, expected }: Request) => {
  const answer = follow ? await follow(project) : await project.call(method, path, body, headers);
  if ('result' in expected) {
    expect(answer.status).toBeLessThan(500);
    if (answer.status === expected.status)
      expect(expected.result.parse(answer.body.data)).toEqual(answer.body.data);
    return answer.body;
  }
  if (expected.status === 0) expect(answer.status).toBeGreaterThanOrEqual(400);
  else
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: expected.status,
      body: expected.body,
    });
  expected.learn?.(answer.body.data);
  return answer.body;
};

const withApps = (body: Drawn, appId: (n: number) => string) => {
  const { iosAppId, androidAppId, ...payload } = body.payload;
  const named = (field: string, n: number | null | undefined) =>
    n === undefined ? {} : { [field]: n === null ? null : appId(n) };
  return {
    ...body,
    payload: { ...payload, ...named('iosAppId', iosAppId), ...named('androidAppId', androidAppId) },
  };
};

const calls = {
  createLink: (drawn: Drawn, model: ProjectModel, appId: (n: number) => string) => {
    const body = withApps(drawn, appId);
    return { method: 'POST', path: '/links', body, expected: model.createLink(body) };
  },
  createLinkOnce: ({ key, draft }: Drawn, model: ProjectModel) => ({
    method: 'POST',
    path: '/links',
    body: draft,
    headers: { 'Idempotency-Key': key },
    expected: model.once(key, draft, () => model.createLink(draft)),
  }),
  createLinks: (drafts: Drawn[], model: ProjectModel, appId: (n: number) => string) => {
    const links = drafts.map((draft) => withApps(draft, appId));
    return { method: 'POST', path: '/links/bulk', body: { links }, expected: model.createLinks(links) };
  },
  listLinks: (query: { page: number; pageSize: number }, model: ProjectModel) => ({
    ...get(`/links?page=${query.page}&pageSize=${query.pageSize}`),
    expected: model.listLinks(query),
  }),
  walkLinks: (query: Drawn, model: ProjectModel) => ({
    ...get('/links'),
    follow: (project: TestProject) => walk(project, query),
    expected: ok(model.walkLinks(query)),
  }),
  listTags: (_: Drawn, model: ProjectModel) => ({ ...get('/tags'), expected: model.listTags() }),
  getLink: ({ code }: Drawn, model: ProjectModel) => ({
    ...get(`/links/${code}`),
    expected: model.getLink(code),
  }),
  updateLink: ({ code, ...rest }: Drawn, model: ProjectModel, appId: (n: number) => string) => {
    const body = withApps(rest, appId);
    return { method: 'PUT', path: `/links/${code}`, body, expected: model.updateLink(code, body) };
  },
  patchLink: ({ code, ...rest }: Drawn, model: ProjectModel, appId: (n: number) => string) => {
    const body = rest.payload ? withApps(rest, appId) : rest;
    return { method: 'PATCH', path: `/links/${code}`, body, expected: model.patchLink(code, body) };
  },
  updateLinkStatus: ({ code, status }: Drawn, model: ProjectModel) => ({
    method: 'PUT',
    path: `/links/${code}/status`,
    body: { status },
    expected: model.setStatus(code, status),
  }),
  deleteLink: ({ code }: Drawn, model: ProjectModel) => ({
    method: 'DELETE',
    path: `/links/${code}`,
    expected: model.deleteLink(code),
  }),
  checkCode: ({ code }: Drawn, model: ProjectModel) => ({
    ...get(`/links/check/${code}`),
    expected: model.checkCode(code),
  }),
  countClicks: ({ code }: Drawn, model: ProjectModel) => ({
    ...get(`/analytics?code=${code}`),
    expected: model.countClicks(code),
  }),
  createMobileApp: (body: Drawn, model: ProjectModel) => ({
    method: 'POST',
    path: '/mobile-apps',
    body,
    expected: model.createApp(body),
  }),
  getUsage: () => ({ ...get('/usage'), expected: usage }),
  getQrStyle: (_: Drawn, model: ProjectModel) => ({ ...get('/qr-style'), expected: ok(model.qrStyle) }),
  updateQrStyle: (body: Drawn, model: ProjectModel) => ({
    method: 'PUT',
    path: '/qr-style',
    body,
    expected: model.setQrStyle(body),
  }),
  listMobileApps: (_: Drawn, model: ProjectModel) => ({ ...get('/mobile-apps'), expected: model.listApps() }),
  getMobileApp: ({ app }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    ...get(`/mobile-apps/${appId(app)}`),
    expected: model.getApp(appId(app)),
  }),
  updateMobileApp: ({ app, ...body }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    method: 'PUT',
    path: `/mobile-apps/${appId(app)}`,
    body,
    expected: model.updateApp(appId(app), body),
  }),
  deleteMobileApp: ({ app }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    method: 'DELETE',
    path: `/mobile-apps/${appId(app)}`,
    expected: model.deleteApp(appId(app)),
  }),
};

const weights: Partial<Record<keyof typeof calls, number>> = {
  createLink: 4,
  updateLink: 4,
  createMobileApp: 2,
  getLink: 3,
};

const command = (name: string, values: fc.Arbitrary<unknown>, make: Make) =>
  fc.tuple(fc.nat({ max: 1 }), values).map(([project, one]) => new Call(project, name, one, make));

/** A read of which the model knows only that it meets its contract and changes nothing. */
const readOf =
  (contract: Contract): Make =>
  ({ code, app }, _, appId) => {
    const { params, query } = contract.example;
    const there: Readonly<Record<string, string>> = { ...params, code, id: appId(app) };
    const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => there[name] ?? '');
    const asked = new URLSearchParams({ ...query, ...(query?.code && { code }) });
    return { ...get(asked.size > 0 ? `${path}?${asked}` : path), expected: contract };
  };

const commands = [
  ...Object.entries(drawn).flatMap(([name, values]) => {
    const operation = name as keyof typeof calls;
    const call = command(name, values, calls[operation]);
    return Array.from({ length: weights[operation] ?? 1 }, () => call);
  }),
  ...Object.entries<Contract>(api)
    .filter(([, { method }]) => method === 'GET')
    .map(([name, contract]) => command(`any ${name}`, drawnRead, readOf(contract))),
];

test('any sequence of calls gets the responses of a plain model of the contract', async () => {
  const sequences = fc.commands(commands, { maxCommands: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const real = await Promise.all([newProject(stack), newProject(stack)]);
      const models = real.map(({ id }) => new ProjectModel(id, stack.facts.shortBaseUrl));
      await fc.asyncModelRun(() => ({ model: models, real }), sequence);
      for (const [i, model] of models.entries()) {
        const all = calls.listLinks({ page: 1, pageSize: 100 }, model);
        await meets(real[i] as TestProject, all);
        await meets(real[i] as TestProject, calls.listTags({}, model));
      }
    }),
    { numRuns: runs },
  );
}, 300_000);
