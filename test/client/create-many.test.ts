import { DynamicLinks, type DynamicLinksError } from '../../client/index.ts';

const payload = { link: 'https://example.com/' };
const drafts = (count: number) => Array.from({ length: count }, () => ({ payload }));

/** A client of a service that creates all links, except in the given call. */
const clientOf = ({ failing }: { failing?: number } = {}) => {
  const calls: { readonly links: number; readonly key: string | null }[] = [];
  const client = new DynamicLinks({
    url: 'https://api.example.com',
    key: 'dls_key',
    fetch: async (_, init) => {
      const { links } = JSON.parse(String(init?.body));
      calls.push({ links: links.length, key: new Headers(init?.headers).get('idempotency-key') });
      if (calls.length === failing) return new Response('', { status: 403 });
      const results = links.map((_: unknown, index: number) => ({ index, success: true, link: {} }));
      return Response.json({ success: true, data: { created: links.length, failed: 0, results } });
    },
  });
  return { links: client.links, calls };
};

const indexesOf = (results: readonly { index: number }[] | undefined) => results?.map(({ index }) => index);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [201, [100, 100, 1]],
])('%d links go in calls of %j', async (count, sizes) => {
  const { links, calls } = clientOf();
  const answer = await links.createMany(drafts(count));
  expect(calls.map((call) => call.links)).toEqual(sizes);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(sizes.length);
  expect({ created: answer.created, failed: answer.failed }).toEqual({ created: count, failed: 0 });
  expect(indexesOf(answer.results)).toEqual(upTo(count));
});

test('a given key goes as it is with one call, and numbered with several', async () => {
  const { links, calls } = clientOf();
  await links.createMany(drafts(100), { idempotencyKey: 'batch' });
  await links.createMany(drafts(101), { idempotencyKey: 'batch' });
  expect(calls.map(({ key }) => key)).toEqual(['batch', 'batch-1', 'batch-2']);
});

test('if a call fails, the error has the results of earlier ones', async () => {
  const { links, calls } = clientOf({ failing: 3 });
  const failure: DynamicLinksError = await links.createMany(drafts(400)).catch((error) => error);
  expect(failure).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 403 });
  expect(indexesOf(failure.results)).toEqual(upTo(200));
  expect(calls).toHaveLength(3);
});
