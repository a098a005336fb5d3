import fc from 'fast-check';
import { coded, newLink, newProject, payload, storesOf, type TestProject } from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const get = async (path: string, { call }: TestProject = project) => (await call('GET', path)).body;
const codesOf = ({ data }: { data: readonly { code: string }[] }) => data.map(({ code }) => code);

describe('tags of a link', () => {
  test('are stored in lower case, each once, and shown by every answer', async () => {
    const made = await newLink(project, { code: 'cased', tags: ['B', 'a/b', 'b', 'A/B', 'x_1.y:z-0'] });
    expect(made.tags).toEqual(['b', 'a/b', 'x_1.y:z-0']);
    expect((await get('/links/cased')).data.tags).toEqual(made.tags);
    expect((await get('/links?tag=B')).data[0].tags).toEqual(made.tags);
    expect(codesOf(await get('/links?tag=x_1.y:z-0,B'))).toEqual(['cased']);
  });

  test.each([[undefined], [null], [[]]])('%j is none', async (tags) => {
    const { code, ...made } = await newLink(project, { tags });
    expect(made).not.toHaveProperty('tags');
    expect((await get(`/links/${code}`)).data).not.toHaveProperty('tags');
  });

  const refused: readonly (readonly [tags: unknown, message: string])[] = [
    ['a', 'tags: must be an array, such as ["summer","poster/berlin"]'],
    [{}, 'tags: must be an array, such as ["summer","poster/berlin"]'],
    [[1], 'tags.0: must be a string, such as "summer"'],
    [['a', null], 'tags.1: must be a string, not null, such as "summer"'],
    ...['', '-a', 'a b', ' a', 'a,b', 'ä', '\u212a', 'x'.repeat(33)].map(
      (tag) => [['a', tag], 'tags.1: must be 1 to 32 letters, digits or any of . _ : / - and begin'] as const,
    ),
    [Array.from({ length: 11 }, (_, i) => `t${i}`), 'tags: must have at most 10 items'],
  ];

  test.each(refused)('%j are refused', async (tags, message) => {
    const one = await project.call('POST', '/links', { payload, tags });
    expect([one.status, one.body]).toEqual([400, coded('VALIDATION_ERROR')]);
    expect(one.body.error.message).toContain(message);
    const bulk = await project.call('POST', '/links/bulk', { links: [{ payload, tags }, { payload }] });
    expect(bulk.body.data).toMatchObject({ created: 1, failed: 1 });
    const { code } = await newLink(project);
    const changed = await project.call('PUT', `/links/${code}`, { payload, tags });
    expect([changed.status, changed.body]).toEqual([400, coded('VALIDATION_ERROR')]);
  });

  test('ten different ones are taken, however often they are repeated', async () => {
    const tags = Array.from({ length: 30 }, (_, i) => `${i < 15 ? 'T' : 't'}${i % 10}`);
    expect((await newLink(project, { tags })).tags).toEqual(Array.from({ length: 10 }, (_, i) => `t${i}`));
  });

  test('stay in an update that leaves them out, and are replaced or cleared by others', async () => {
    const { code } = await newLink(project, { tags: ['one', 'two'] });
    const put = async (body: object) => {
      expect((await project.call('PUT', `/links/${code}`, { payload, ...body })).status).toBe(200);
      return (await get(`/links/${code}`)).data.tags;
    };
    expect(await put({ name: 'New' })).toEqual(['one', 'two']);
    expect(await put({ tags: ['Three', 'two'] })).toEqual(['three', 'two']);
    expect(codesOf(await get('/links?tag=one'))).toEqual([]);
    expect(codesOf(await get('/links?tag=three'))).toEqual([code]);
    expect(await put({ tags: [] })).toBeUndefined();
    expect(await put({ tags: ['four'] })).toEqual(['four']);
    expect(await put({ tags: null })).toBeUndefined();
    expect(codesOf(await get('/links?tag=four'))).toEqual([]);
  });

  test('come with a repeated call', async () => {
    const body = { payload, tags: ['Again', 'AGAIN'] };
    const call = () => project.call('POST', '/links', body, { 'Idempotency-Key': 'with tags' });
    const [first, second] = [await call(), await call()];
    expect(second.body.data).toEqual(first.body.data);
    expect(second.body.data.tags).toEqual(['again']);
  });
});

describe('the tags of a project', () => {
  test('are those that its links have or had, by name', async () => {
    const own = await newProject(stack);
    expect(await get('/tags', own)).toEqual({ success: true, data: { tags: [], total: 0 } });
    const { code } = await newLink(own, { tags: ['b', 'A'] });
    const links = [
      { payload, tags: ['c'] },
      { payload, tags: ['!'] },
      { code, payload, tags: ['d'] },
    ];
    await own.call('POST', '/links/bulk', { links });
    await own.call('PUT', `/links/${code}`, { payload, tags: ['0'] });
    await own.call('DELETE', `/links/${code}`);
    expect((await get('/tags', own)).data).toEqual({ tags: ['0', 'a', 'b', 'c'], total: 4 });
  });

  test('need the scope links:read', async () => {
    const key = await project.keyWith(['links:write']);
    const { status, body } = await stack.api('GET', '/tags', { key });
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
  });
});

describe('a walk', () => {
  let own: TestProject;
  beforeAll(async () => {
    own = await newProject(stack);
    await newLink(own, { code: 'first', name: 'Summer SALE', tags: ['summer'] });
    await newLink(own, { code: 'second', payload: { link: 'https://example.org/Winter' }, tags: ['winter'] });
    await newLink(own, { code: 'third', tags: ['summer', 'winter'] });
    await own.call('PUT', '/links/second/status', { status: 'PAUSED' });
  });

  const all = async (query: string, pageSize = 1) => {
    const codes: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await get(`/links?${query}&pageSize=${pageSize}&cursor=${cursor}`, own);
      expect(page).toMatchObject({ success: true, pagination: { pageSize } });
      expect(Object.keys(page.pagination)).toEqual(['pageSize', 'nextCursor']);
      codes.push(...codesOf(page));
      if (page.pagination.nextCursor === null) return codes;
      cursor = page.pagination.nextCursor;
    }
  };

  test.each([
    ['', ['third', 'second', 'first']],
    ['tag=summer', ['third', 'first']],
    ['tag=WINTER,summer', ['third']],
    ['tag=none', []],
    ['status=PAUSED', ['second']],
    ['status=ACTIVE&tag=winter', ['third']],
    ['status=EXPIRED', []],
    ['search=sale', ['first']],
    ['search=EXAMPLE.org%2Fwin', ['second']],
    ['search=SECOND', ['second']],
    ['search=ir', ['third', 'first']],
    ['createdAfter=2000-01-01', ['third', 'second', 'first']],
    ['createdBefore=2000-01-01T00:00Z', []],
  ])('by %s is newest first', async (query, codes) => {
    for (const pageSize of [1, 2, 100]) expect(await all(query, pageSize)).toEqual(codes);
  });

  test('takes the time of a link as the first, and not as the last', async () => {
    const { createdAt } = (await get('/links/second', own)).data;
    const at = encodeURIComponent(createdAt);
    expect(await all(`createdAfter=${at}&createdBefore=2100-01-01`)).toContain('second');
    expect(await all(`createdBefore=${at}`)).not.toContain('second');
  });

  test('shows blocked links as paused, and expired ones by their expiry', async () => {
    const { code } = await newLink(own, { tags: ['blocked'] });
    const { links } = storesOf(stack);
    await links.block(own.id, code, { now: new Date() });
    expect(codesOf(await get('/links?tag=blocked&status=PAUSED', own))).toEqual([code]);
    expect(codesOf(await get('/links?tag=blocked&status=ACTIVE', own))).toEqual([]);
    await own.call('DELETE', `/links/${code}`);
  });

  test('has items like those of the list, whose answers stay as they were', async () => {
    const list = await get('/links', own);
    expect((await get('/links?cursor=', own)).data).toEqual(list.data);
    expect(list.pagination).toEqual({ page: 1, pageSize: 50, total: 3, totalPages: 1 });
  });

  test('takes a cursor with the same filters alone, whatever the size of its pages', async () => {
    const { pagination } = await get('/links?tag=summer,winter&search=t&pageSize=2&cursor=', own);
    expect(pagination).toEqual({ pageSize: 2, nextCursor: null });
    const cursor = (await get('/links?tag=summer&pageSize=1', own)).pagination.nextCursor;
    const next = async (query: string, by = own) => {
      const { status, body } = await by.call('GET', `/links?${query}`);
      return status === 200 ? codesOf(body) : `${status} ${body.error.code} ${body.error.message}`;
    };
    expect(await next(`tag=Summer&pageSize=7&cursor=${cursor}`)).toEqual(['first']);
    const refused = expect.stringMatching(/^400 INVALID_PARAMETERS cursor: /);
    for (const query of ['', 'tag=winter', 'tag=summer&status=ACTIVE', 'tag=summer&createdAfter=2000-01-01'])
      expect(await next(`${query}&cursor=${cursor}`)).toEqual(refused);
    expect(await next(`tag=summer&cursor=${cursor}`, project)).toEqual(refused);
    const other = await newProject(stack);
    expect(await next(`tag=summer&cursor=${cursor}`, other)).toEqual(refused);
  });

  test('refuses a cursor in which anything was changed', async () => {
    const cursor: string = (await get('/links?tag=summer&pageSize=1', own)).pagination.nextCursor;
    const mangled = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.base64String({ minLength: 4 }),
      fc.nat({ max: cursor.length - 1 }).map((end) => cursor.slice(0, end) || 'a'),
      fc.string({ minLength: 1, maxLength: 3 }).map((more) => cursor + more),
      fc
        .tuple(fc.nat({ max: cursor.length - 1 }), fc.constantFrom(...'aA0_-='))
        .filter(([at, letter]) => cursor[at] !== letter)
        .map(([at, letter]) => cursor.slice(0, at) + letter + cursor.slice(at + 1)),
    );
    await fc.assert(
      fc.asyncProperty(mangled, async (text) => {
        const { status, body } = await own.call(
          'GET',
          `/links?tag=summer&cursor=${encodeURIComponent(text)}`,
        );
        expect([status, body]).toEqual([400, coded('INVALID_PARAMETERS')]);
        expect(body.error.message).toMatch(/^cursor: /);
      }),
      { numRuns: 60 },
    );
  });
});
