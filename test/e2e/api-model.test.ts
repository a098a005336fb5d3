import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { aTime, newProject, type TestProject } from '../support/api.ts';
import { drawn } from '../support/api-arbitraries.ts';
import { ProjectModel } from '../support/api-model.ts';
import { type Expected, ok } from '../support/api-model-apps.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const runs = Number(process.env.MODEL_RUNS ?? 10);

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
  readonly expected: Expected;
}

/** A request to one of two projects; apps are drawn by number, including the other project's and unknown ones. */
class Call implements fc.AsyncCommand<Model, Real> {
  readonly #project: number;
  readonly #name: string;
  readonly #drawn: Drawn;
  readonly #make: (drawn: Drawn, model: ProjectModel, appId: (n: number) => string) => Request;

  constructor(project: number, name: keyof typeof calls, drawn: Drawn) {
    this.#project = project;
    this.#name = name;
    this.#drawn = drawn;
    this.#make = calls[name];
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

const meets = async (project: TestProject, { method, path, body, headers, expected }: Request) => {
  const answer = await project.call(method, path, body, headers);
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
  getLink: ({ code }: Drawn, model: ProjectModel) => ({
    ...get(`/links/${code}`),
    expected: model.getLink(code),
  }),
  updateLink: ({ code, ...rest }: Drawn, model: ProjectModel, appId: (n: number) => string) => {
    const body = withApps(rest, appId);
    return { method: 'PUT', path: `/links/${code}`, body, expected: model.updateLink(code, body) };
  },
  setStatus: ({ code, status }: Drawn, model: ProjectModel) => ({
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
  createApp: (body: Drawn, model: ProjectModel) => ({
    method: 'POST',
    path: '/mobile-apps',
    body,
    expected: model.createApp(body),
  }),
  getUsage: () => ({ ...get('/usage'), expected: usage }),
  listApps: (_: Drawn, model: ProjectModel) => ({ ...get('/mobile-apps'), expected: model.listApps() }),
  getApp: ({ app }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    ...get(`/mobile-apps/${appId(app)}`),
    expected: model.getApp(appId(app)),
  }),
  updateApp: ({ app, ...body }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    method: 'PUT',
    path: `/mobile-apps/${appId(app)}`,
    body,
    expected: model.updateApp(appId(app), body),
  }),
  deleteApp: ({ app }: Drawn, model: ProjectModel, appId: (n: number) => string) => ({
    method: 'DELETE',
    path: `/mobile-apps/${appId(app)}`,
    expected: model.deleteApp(appId(app)),
  }),
};

const weights: Partial<Record<keyof typeof calls, number>> = {
  createLink: 4,
  updateLink: 4,
  createApp: 2,
  getLink: 3,
};

const commands = Object.entries(drawn).flatMap(([name, values]) => {
  const operation = name as keyof typeof calls;
  const call = fc
    .tuple(fc.nat({ max: 1 }), values)
    .map(([project, one]) => new Call(project, operation, one));
  return Array.from({ length: weights[operation] ?? 1 }, () => call);
});

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
      }
    }),
    { numRuns: runs },
  );
}, 300_000);
