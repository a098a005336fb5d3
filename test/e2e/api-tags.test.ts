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

  test('are refused with a reason, also in bulk and in an update', async () => {
    const links = refused.map(([tags]) => ({ payload, tags }));
    const { body } = await project.call('POST', '/links/bulk', { links });
    const messages = body.data.results.map(({ error }: { error: { message: string } }) => error.message);
    expect(messages).toEqual(refused.map(([, message]) => expect.stringContaining(message)));
    const { code } = await newLink(project);
    for (const [method, path] of [
      ['POST', '/links'],
      ['PUT', `/links/${code}`],
    ] as const) {
      const answer = await project.call(method, path, links[0]);
      expect([answer.status, answer.body]).toEqual([400, coded('VALIDATION_ERROR')]);
    }
  });

  test('ten different ones are taken, however often they are repeated', async () => {
    const tags = Array.from({ length: 30 }, (_, i) => `${i < 15 ? 'T' : 't'}${i % 10}`);
    expect((await newLink(project, { tags })).tags).toEqual(Array.from({ length: 10 }, (_, i) => `t${i}`));
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

  test.each([
    ['tag=WINTER,summer', ['third']],
    ['status=PAUSED', ['second']],
    ['search=EXAMPLE.org%2Fwin', ['second']],
    ['createdAfter=2000-01-01', ['third', 'second', 'first']],
    ['createdBefore=2000-01-01T00:00Z', []],
  ])('by %s is newest first', async (query, codes) => {
    expect(codesOf(await get(`/links?${query}`, own))).toEqual(codes);
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
});

describe('addTags and removeTags', () => {
  const patch = async (code: string, body: object) => {
    const answer = (await project.call('PATCH', `/links/${code}`, body)).body;
    return answer.error?.message ?? (await get(`/links/${code}`)).data;
  };

  test('change the stored tags, and nothing is written if nothing changes', async () => {
    const { code, createdAt: updatedAt } = await newLink(project, { tags: ['a', 'b'] });
    expect(await patch(code, { addTags: ['B'], removeTags: ['none'] })).toMatchObject({ updatedAt });
    expect(await patch(code, { addTags: null, removeTags: [] })).toMatchObject({ updatedAt });
    const changed = await patch(code, { addTags: ['C', 'b'], removeTags: ['A'], name: 'N' });
    expect(changed).toMatchObject({ tags: ['b', 'c'], name: 'N' });
    expect(await patch(code, { removeTags: ['b', 'c'] })).not.toHaveProperty('tags');
  });

  test('of calls at the same time are all kept', async () => {
    const { code } = await newLink(project, { tags: ['a', 'b'] });
    const names = ['c', 'd', 'e', 'f'];
    const changes = [
      { removeTags: ['a'] },
      { removeTags: ['b'] },
      ...names.map((name) => ({ addTags: [name] })),
    ];
    await Promise.all(changes.map((body) => patch(code, body)));
    expect((await get(`/links/${code}`)).data.tags.sort()).toEqual(names);
  });

  test('are refused beside tags, with a tag in both, and beyond the limits', async () => {
    const ten = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const { code } = await newLink(project, { tags: ['a'] });
    const beside = "can't be given together with tags";
    expect(await patch(code, { tags: null, addTags: ['b'], removeTags: ['c'] })).toBe(
      `addTags: ${beside}; removeTags: ${beside}`,
    );
    expect(await patch(code, { addTags: ['B'], removeTags: ['b'] })).toBe(
      'removeTags: must not contain a tag of addTags',
    );
    expect(await patch(code, { addTags: [...ten, 'x'] })).toBe('addTags: must have at most 10 items');
    expect(await patch(code, { addTags: ten })).toBe('tags: must have at most 10 items');
    expect(await patch(code, { addTags: ten, removeTags: ['a'] })).toMatchObject({ tags: ten });
  });
});
