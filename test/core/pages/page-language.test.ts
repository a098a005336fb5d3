import { interstitialPage } from '../../../core/pages/interstitial-page.ts';
import { messages, translated } from '../../../core/pages/messages.ts';
import { notFoundPage, retryPage } from '../../../core/pages/notice-page.ts';
import { pageLanguage, pageMessages } from '../../../core/pages/page-language.ts';
import { previewPage } from '../../../core/pages/preview-page.ts';
import { translations } from '../../../core/pages/translations.ts';
import { interstitialOf } from '../../../core/short-urls/interstitial.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';
import { busyPageResponse } from '../../../lambdas/short-urls/busy.ts';
import { notFound } from '../../../lambdas/short-urls/responses.ts';
import { userAgents } from '../../../ops/base/user-agents.ts';
import { structureOf } from '../../support/html.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,de', 'en'],
  ['sv,fr;q=0.5,de;q=0.7', 'de'],
  ['sv', 'en'],
  ['sv, EN;q=0.1, ja;q=0.05', 'en'],
  ['zh-TW', 'zh-Hans'],
  ['pt-BR', 'pt'],
  ['de;q=0, fr;q=0.2', 'fr'],
  ['*, nl;q=0.1', 'nl'],
  ['constructor', 'en'],
])('a visitor with %j reads %s', async (header, language) => {
  expect(pageLanguage(header)).toBe(language);
  expect((await pageMessages(header)).language).toBe(language);
});

/** Every text by its path. */
const textsOf = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'string' ? [[`${path}${name}`, part]] : textsOf(part as object, `${path}${name}.`),
  );
const filledIn = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];

test('there are ten languages', () => {
  expect([...translated, messages.language].length).toBe(10);
});

test.each(translated)('%s has the same messages as English', async (language) => {
  const texts = new Map(textsOf(await pageMessages(language)));
  expect([...texts.keys()].sort()).toEqual(
    textsOf(messages)
      .map(([path]) => path)
      .sort(),
  );
  for (const [path, text] of textsOf(messages)) {
    expect([path, filledIn(texts.get(path) ?? '')]).toEqual([path, filledIn(text)]);
    expect(texts.get(path)?.trim()).not.toBe('');
  }
  expect(texts.get('language')).toBe(language);
  // A copy that was forgotten.
  const same = textsOf(messages).filter(([path, text]) => texts.get(path) === text);
  expect(same).toEqual([]);
});

test('names follow whole words in French and Portuguese, which join “de” to the next word', () => {
  const joined = textsOf([translations.fr, translations.pt]).filter(([, text]) => /\bde \{/.test(text));
  expect(joined).toEqual([]);
});

test.each(translated)('pages in %s have the same structure as in English', async (language) => {
  const said = await pageMessages(language);
  const visit = {
    visitor: visitorOf(userAgents.iphone),
    userAgent: userAgents.iphone,
    shortUrl: 'https://go.example.com/launch',
    query: '',
    now: new Date(),
  };
  const payload = {
    link: 'https://example.com/',
    ios: { app_store_id: '42' },
    interstitial: 'always',
  } as const;
  const page = interstitialOf({ status: 'ACTIVE', payload }, {}, visit);
  if (!page) throw new Error('No page');
  const contact = 'https://example.com/abuse';
  const pages = [
    [notFoundPage(contact, contact, said), notFoundPage(contact, contact)],
    [retryPage(said), retryPage()],
    [
      interstitialPage(page, { abuseContact: contact, text: said }),
      interstitialPage(page, { abuseContact: contact }),
    ],
  ] as const;
  for (const [there, here] of pages) {
    const inEnglish = structureOf(there.html.replace(`<html lang="${said.language}">`, '<html lang="en">'));
    expect(inEnglish).toEqual(structureOf(here.html));
    expect(there.html).toContain(`<html lang="${said.language}">`);
    expect(there.html).not.toMatch(/\{(app|host|browser)\}/);
  }
});

test('visitors read 404 and 503 pages in their language', async () => {
  const event = { headers: { accept: 'text/html', 'accept-language': 'de' }, requestContext: {} } as never;
  const answers = [await notFound({}, event), await busyPageResponse(event)] as { body: string }[];
  expect(answers.map(({ body }) => /<h1>(.*)<\/h1>/.exec(body)?.[1])).toEqual([
    translations.de.notFoundHeading,
    translations.de.retryHeading,
  ]);
});

test('all pages have one look', () => {
  const lookOf = (html: string) => /<style>\n(:root[\s\S]*?:focus-visible.*)\n/.exec(html)?.[1];
  const look = lookOf(notFoundPage().html);
  expect(look).toContain('.card');
  expect(lookOf(retryPage().html)).toBe(look);
  expect(
    lookOf(previewPage({}, { shortUrl: 'https://a.example/', destination: 'https://b.example/' }).html),
  ).toBe(look);
});
