import { createAppLinks, type LinkSettings, type Opening } from '../../client/app-links.ts';
import { unique } from '../support/builders.ts';
import { eventually, expectEventually } from '../support/local-stack.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

/* An app against the real service: repeated requests count once. */

const stack = sharedStack();

const publish = async () => {
  const payload = {
    link: 'https://shop.example.com/summer',
    campaign: { utm_source: 'mail' },
    data: { coupon: 'SUN' },
    android: { min_version: '30' },
  };
  const { status, body } = await stack.api('POST', '/links', { body: { code: unique('code'), payload } });
  expect(status).toBe(201);
  return body.data as { code: string; shortUrl: string };
};

/** A phone, whose storage outlives the app's processes. */
const phone = () => {
  const stored = new Map<string, string>();
  let loseAnswers = false;
  const start = (coldUrl: string | null, more: Partial<LinkSettings> = {}) => {
    const heard: Opening[] = [];
    let emit: (event: { url: string }) => void = () => undefined;
    const links = createAppLinks({
      hosts: ['127.0.0.1', 'localhost'],
      platform: 'android',
      linking: {
        getInitialURL: async () => coldUrl,
        addEventListener: (_: string, listener: typeof emit) => {
          emit = listener;
          return undefined;
        },
      },
      storage: {
        getItem: async (key) => stored.get(key) ?? null,
        setItem: async (key, value) => void stored.set(key, value),
      },
      fetch: async (address) => {
        const answer = await fetch(address, { headers: { 'user-agent': 'okhttp/4.12.0' } });
        if (loseAnswers) throw new Error('The answer was lost');
        return answer;
      },
      ...more,
    });
    links.listen((opening) => heard.push(opening));
    return { links, heard, emit: (url: string) => emit({ url }) };
  };
  return {
    start,
    loseAnswers: (does: boolean) => {
      loseAnswers = does;
    },
  };
};

test('openings are counted once through lost answers, repeats and restarts', async () => {
  const { code, shortUrl } = await publish();
  const { start, loseAnswers } = phone();
  const installed = start(null, {
    referrer: async () => `deepLink=${encodeURIComponent(`${shortUrl}?ref=a`)}`,
  });
  const opening = {
    shortUrl: `${shortUrl}?ref=a`,
    code,
    link: 'https://shop.example.com/summer?utm_source=mail&ref=a',
    data: { coupon: 'SUN' },
    campaign: { utm_source: 'mail' },
    minVersion: '30',
    first: true,
    resolved: true,
  };
  expect(await installed.links.initial()).toEqual(opening);

  loseAnswers(true);
  const second = start(shortUrl);
  expect(await second.links.initial()).toMatchObject({ shortUrl, code, link: null, resolved: false });
  second.emit(shortUrl);
  second.emit(`${shortUrl}?later`);
  await expectEventually(() => second.heard).toHaveLength(1);
  expect(await second.links.retry()).toBe(2);

  // The process ends here.
  loseAnswers(false);
  const third = start(null);
  expect(await third.links.initial()).toBeNull();
  expect(await Promise.all([third.links.retry(), third.links.retry()])).toEqual([0, 0]);
  expect(third.heard.map((one) => [one.shortUrl, one.resolved])).toEqual([
    [shortUrl, true],
    [`${shortUrl}?later`, true],
  ]);
  third.emit(shortUrl);
  await expectEventually(() => third.heard).toHaveLength(3);

  const analytics = async () => (await stack.api('GET', `/analytics?code=${code}&event=opens`)).body.data;
  // The last one is counted after all others.
  await eventually(analytics, ({ opens }) => opens >= 4);
  expect(await analytics()).toEqual({ opens: 4, firstOpens: 1 });
});

test('a link that is not live is delivered once, without a destination', async () => {
  const { links } = phone().start(`${stack.facts.shortBaseUrl}/${unique('gone')}`);
  expect(await links.initial()).toMatchObject({ link: null, resolved: true });
  expect(await links.retry()).toBe(0);
});
