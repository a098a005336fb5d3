import { classifyVisit } from '../../../core/visits/visit.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';
import { userAgents } from '../../../ops/base/user-agents.ts';

const visitor = visitorOf(userAgents.iphone);

test('a person who opens a link is counted', () => {
  expect(classifyVisit({ method: 'GET', visitor })).toEqual({ kind: 'person' });
  expect(classifyVisit({ method: 'GET', visitor, purpose: '' })).toEqual({ kind: 'person' });
});

const excluded = (reason: string) => ({ kind: 'excluded', reason });

test.each([
  'prefetch',
  'prefetch;prerender',
  'prefetch;anonymous-client-ip',
  'preview',
  'Prefetch',
  'preview, prefetch',
  'something-new, prefetch',
])('a browser request with the purpose %s is not counted', (purpose) => {
  expect(classifyVisit({ method: 'GET', visitor, purpose })).toEqual(excluded('prefetch'));
});

test('a visit to the debug page is not counted', () => {
  for (const method of ['GET', 'HEAD'])
    expect(classifyVisit({ method, visitor, debug: true })).toEqual(excluded('debug'));
});

test.each([
  ['Twitterbot/1.0', 'social-crawler'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['', 'bot'],
])('the user agent %j is not counted', (userAgent, reason) => {
  expect(classifyVisit({ method: 'GET', visitor: visitorOf(userAgent) })).toEqual(excluded(reason));
});

test.each([userAgents.iphone, 'Twitterbot/1.0', ''])('a HEAD request of %j is not counted', (userAgent) => {
  expect(classifyVisit({ method: 'HEAD', visitor: visitorOf(userAgent) })).toEqual(excluded('head'));
});
