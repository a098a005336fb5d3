import { createElement, StrictMode } from 'react';
import { act, create, type ReactTestRenderer } from 'react-test-renderer';
import type { LinkReceiver, Opening } from '../../client/app-links.ts';
import { useAppLink } from '../../client/react-native.ts';

const opening = (link: string) => ({ link, resolved: true }) as Opening;

/** Links whose start resolves when the test lets it. */
const receiver = () => {
  let handle: (opening: Opening) => void = () => undefined;
  let start: (opening: Opening | null) => void = () => undefined;
  const initial = new Promise<Opening | null>((resolve) => {
    start = resolve;
  });
  const links: LinkReceiver = {
    initial: () => initial,
    listen: (handler) => {
      handle = handler;
      return () => undefined;
    },
    retry: async () => 0,
  };
  return { links, start: (one: Opening | null) => start(one), emit: (one: Opening) => handle(one) };
};

/** A screen that shows the link. */
const screen = (links: LinkReceiver) => {
  let clear: () => void = () => undefined;
  const Shown = () => {
    const [shown, clearIt] = useAppLink(links);
    clear = clearIt;
    return shown?.link ?? 'none';
  };
  return { element: createElement(StrictMode, null, createElement(Shown)), clear: () => clear() };
};

beforeAll(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }));
let errors: jest.SpyInstance;
beforeEach(() => {
  errors = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  const texts = errors.mock.calls.map(String);
  expect(texts.filter((text) => !text.includes('react-test-renderer is deprecated'))).toEqual([]);
});

const mount = async (element: Parameters<typeof create>[0]) => {
  let mounted: ReactTestRenderer | undefined;
  await act(async () => {
    mounted = create(element);
  });
  return mounted as ReactTestRenderer;
};

test('the hook shows the latest opening until it is cleared, also to a screen that is mounted later', async () => {
  const { links, start, emit } = receiver();
  const first = screen(links);
  const mounted = await mount(first.element);
  expect(mounted.toJSON()).toBe('none');
  await act(async () => start(opening('cold')));
  expect(mounted.toJSON()).toBe('cold');
  await act(async () => emit(opening('later')));
  expect(mounted.toJSON()).toBe('later');
  await act(async () => mounted.unmount());
  emit(opening('while nothing is mounted'));

  const second = screen(links);
  const again = await mount(second.element);
  expect(again.toJSON()).toBe('while nothing is mounted');
  await act(async () => second.clear());
  expect(again.toJSON()).toBe('none');
  expect((await mount(screen(links).element)).toJSON()).toBe('none');
});

test('a start that resolves late covers no later opening', async () => {
  const { links, start, emit } = receiver();
  const mounted = await mount(screen(links).element);
  await act(async () => emit(opening('later')));
  await act(async () => start(opening('cold')));
  expect(mounted.toJSON()).toBe('later');
});
