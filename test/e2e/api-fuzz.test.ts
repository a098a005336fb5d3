import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { openApi } from '../../core/api/openapi.ts';
import { makeShareKey } from '../../core/share-links/share-keys.ts';
import { expectHeaders, newApp, newLink, storesOf } from '../support/api.ts';
import { deref, fitting, mutated } from '../support/json-schema-arbitrary.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

/** Requests per run; the nightly sends more. */
const runs = Number(process.env.FUZZ_RUNS ?? 200);

// biome-ignore lint/suspicious/noExplicitAny: a part of the description
type Part = any;
const description: Part = openApi();

const stack = sharedStack();
const project = projectOn(stack);
/** Codes and ids that exist. */
let known: Record<string, string[]>;
/** A publishable key, the only one that share links accept. */
let publishable: string;
beforeAll(async () => {
  const links = await Promise.all(Array.from({ length: 5 }, () => newLink(project)));
  const apps = await Promise.all([newApp(project), newApp(project)]);
  const call = { project: project.id, now: new Date(), shortHosts: [], createdBy: 'admin' };
  const template = { payload: { link: 'https://example.com/' }, allow: ['social.title', 'data'] };
  publishable = (await makeShareKey(template, call, storesOf(stack))).share?.apiKey ?? '';
  known = { code: [...links.map(({ code }) => code), 'check', 'status'], id: apps.map(({ id }) => id) };
});

/** Replaces a deleted link or app, so that calls always have a target. */
const replace = async (name: 'code' | 'id', gone: string): Promise<void> => {
  const place = known[name]?.indexOf(gone) ?? -1;
  if (place < 0) return;
  const { [name]: next } = await (name === 'code' ? newLink : newApp)(project);
  known[name]?.splice(place, 1, next);
};

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Part[];
  readonly body: Part;
  readonly responses: Record<string, Part>;
}

const operations: Operation[] = Object.entries<Part>(description.paths).flatMap(([path, methods]) =>
  Object.entries<Part>(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content['application/json'].schema,
    responses,
  })),
);

const operationOf = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}`);
  return found;
};

/** Mostly valid addresses and existing apps; otherwise hardly a request would succeed. */
const fields = {
  iosAppId: fc.nat().map((n) => known.id?.[n % 2]),
  androidAppId: fc.constant(undefined),
  saveApp: fc.constantFrom(false, false, true),
};

const sometimesMutated = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 3, arbitrary: values },
    { weight: 4, arbitrary: values.chain(mutated) },
    { weight: 2, arbitrary: values.chain(mutated).chain(mutated) },
  );

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const parameterValue = ({ name, schema }: Part) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.nat().map((n) => known[name]?.[n % known[name].length] ?? String(1 + (n % 3))),
    },
    { weight: 1, arbitrary: fitting(schema, description).map(asText) },
    { weight: 1, arbitrary: fc.constant(null).chain(mutated).map(asText) },
  );

const requests = fc.oneof(
  ...operations.map((operation) =>
    fc.record({
      id: fc.constant(operation.id),
      values: fc.tuple(...operation.parameters.map(parameterValue)),
      given: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
      body: operation.body
        ? sometimesMutated(fitting(operation.body, description, fields))
        : fc.constant(undefined),
    }),
  ),
);

/** A segment of only dots, or an empty one, would change the path. */
const segment = (value: string) =>
  encodeURIComponent(value.toWellFormed().slice(0, 1000)).replace(/^(\.{0,2})$/, 'x$1');

const addressOf = ({ path, parameters }: Operation, values: readonly string[], given: readonly boolean[]) => {
  let address = path;
  const query = new URLSearchParams();
  for (const [i, parameter] of parameters.entries()) {
    const value = values[i] ?? '';
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, segment(value));
    else if (given[i]) query.append(parameter.name, value.slice(0, 1000));
  }
  return query.size > 0 ? `${address}?${query}` : address;
};

/** Headers that only some responses with a status have. */
const sometimes = ['Idempotent-Replayed', 'X-Ignored-Fields'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...description, $id: 'api' });

const pointer = (...names: string[]) =>
  `api#${names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

const schemaOf = ({ path, method, responses }: Operation, status: number) => {
  const { $ref } = responses[status];
  const place = $ref
    ? $ref.split('/').slice(1)
    : ['paths', path, method.toLowerCase(), 'responses', `${status}`];
  return pointer(...place, 'content', 'application/json', 'schema');
};

test(
  `${runs} requests generated from the description, valid and broken, get responses that it declares`,
  async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(requests, async ({ id, values, given, body }) => {
      const operation = operationOf(id);
      const { method, responses } = operation;
      const headers: Record<string, string> = id === 'createShareLink' ? { 'X-API-KEY': publishable } : {};
      const answer = await project.call(
        method,
        addressOf(operation, values as string[], given),
        body,
        headers,
      );
      const { status, text } = answer;
      seen.set(`${id} ${status}`, (seen.get(`${id} ${status}`) ?? 0) + 1);
      expectHeaders(answer);
      expect([status >= 500, text]).toEqual([false, text]);
      expect(Object.keys(responses)).toContain(String(status));
      const validate = ajv.getSchema(schemaOf(operation, status));
      expect([text, validate?.(answer.body), validate?.errors]).toEqual([text, true, null]);
      const declared = responses[status].$ref
        ? deref(responses[status].$ref, description)
        : responses[status];
      if (method === 'DELETE' && status === 200) {
        await replace(id === 'deleteLink' ? 'code' : 'id', String(values[0]));
      }
      const missing = Object.keys(declared.headers).filter(
        (name) => !sometimes.includes(name) && !answer.headers.has(name),
      );
      expect(missing).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs });
    // In a long run every operation has succeeded and has been refused.
    for (const { id, body } of runs >= 10_000 ? operations : []) {
      expect([...seen.keys()]).toContainEqual(expect.stringMatching(new RegExp(`^${id} 20[01]$`)));
      if (body) expect([...seen.keys()]).toContainEqual(`${id} 400`);
    }
    if (process.env.FUZZ_RUNS)
      console.log(
        [...seen]
          .sort()
          .map(([what, count]) => `${what}: ${count}`)
          .join('\n'),
      );
  },
  Math.max(180_000, runs * 60),
);
