import type { LinkWithAnalytics } from '../../../core/links/link-reads.ts';
import { LinkIndexes } from '../../../ops/console-server/link-index.ts';

const silent = () => undefined;

const aLink = (code: string, status: string): LinkWithAnalytics =>
  // An index looks at nothing else.
  ({ link: { code, status }, analytics: {} }) as unknown as LinkWithAnalytics;

/** A project of two portions; a reading waits between them until it is let on. */
const slowStore = () => {
  const links = new Map([
    ['old', 'ACTIVE'],
    ['paused', 'ACTIVE'],
    ['other', 'ACTIVE'],
  ]);
  const reading = {
    isSlow: true,
    count: 0,
    begun: Promise.withResolvers<void>(),
    waits: Promise.withResolvers<void>(),
    goOn: Promise.withResolvers<void>(),
  };
  const all = async function* () {
    reading.count += 1;
    const portion = [...links].map(([code, status]) => aLink(code, status));
    reading.begun.resolve();
    yield portion.slice(0, 2);
    if (reading.isSlow) {
      reading.waits.resolve();
      await reading.goOn.promise;
    }
    yield portion.slice(2);
  };
  const get = async (_: string, code: string) => {
    const status = links.get(code);
    if (status === undefined) throw new Error('not found');
    return aLink(code, status);
  };
  const indexes = new LinkIndexes({ links: { all, get, count: async () => links.size } } as never);
  const shown = async () =>
    Object.fromEntries((await indexes.of('acme', silent)).links.map(({ link }) => [link.code, link.status]));
  return { links, reading, indexes, shown };
};

test('later callers see changes during a reading', async () => {
  const { links, reading, indexes, shown } = slowStore();
  const waiting = shown();
  await reading.begun.promise;
  links.delete('old');
  await indexes.refresh('acme', 'old');
  links.set('paused', 'PAUSED');
  await indexes.refresh('acme', 'paused');
  links.set('new', 'ACTIVE');
  indexes.forget('acme');
  const asked = shown();
  reading.goOn.resolve();
  // An earlier caller gets the earlier reading.
  expect(await waiting).toMatchObject({ old: 'ACTIVE' });
  const now = { paused: 'PAUSED', other: 'ACTIVE', new: 'ACTIVE' };
  expect(await asked).toEqual(now);
  expect(await shown()).toEqual(now);
  expect(reading.count).toBe(2);
});

test('a reading that was overtaken does not replace a later one that ended first', async () => {
  const { links, reading, indexes, shown } = slowStore();
  const waiting = shown();
  await reading.waits.promise;
  links.set('paused', 'PAUSED');
  await indexes.refresh('acme', 'paused');
  reading.isSlow = false;
  expect(await shown()).toMatchObject({ paused: 'PAUSED' });
  reading.goOn.resolve();
  expect(await waiting).toMatchObject({ paused: 'ACTIVE' });
  expect(await shown()).toMatchObject({ paused: 'PAUSED' });
});

test('a project is read once for callers at the same time, and kept', async () => {
  const { reading, shown } = slowStore();
  const asked = [shown(), shown()];
  reading.goOn.resolve();
  await Promise.all(asked);
  await shown();
  expect(reading.count).toBe(1);
});

test('a reading that fails is read again', async () => {
  const { reading, shown } = slowStore();
  const failed = shown();
  reading.goOn.reject(new Error('the table is busy'));
  await expect(failed).rejects.toThrow('the table is busy');
  reading.isSlow = false;
  expect(Object.keys(await shown())).toHaveLength(3);
});

test('progress has the links found so far, and an abandoned reading ends', async () => {
  const { reading, indexes } = slowStore();
  const leaving = new AbortController();
  const reported = Promise.withResolvers<string[]>();
  const waiting = indexes.of(
    'acme',
    (_, links) => reported.resolve(links.map(({ link }) => link.code)),
    leaving.signal,
  );
  expect(await reported.promise).toEqual(['old', 'paused']);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  reading.isSlow = false;
  reading.goOn.resolve();
  expect((await indexes.of('acme', silent)).links).toHaveLength(3);
  expect(reading.count).toBe(2);
});
