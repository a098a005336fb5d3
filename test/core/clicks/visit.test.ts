import { classifyVisit } from '../../../core/clicks/visit.ts';
import { visitorOf } from '../../../core/clicks/visitor.ts';
import { userAgents } from '../../support/user-agents.ts';

const visitor = visitorOf(userAgents.iphone);

test('a person who opens a link is counted', () => {
  expect(classifyVisit({ method: 'GET', visitor })).toEqual({ kind: 'person' });
  expect(classifyVisit({ method: 'GET', visitor, purpose: '' })).toEqual({ kind: 'person' });
});

test.each([
  'prefetch',
  'prefetch;prerender',
  'prefetch;anonymous-client-ip',
  'preview',
  'Prefetch',
  'preview, prefetch',
  'something-new, prefetch',
])('a browser that says %s is not', (purpose) => {
  expect(classifyVisit({ method: 'GET', visitor, purpose })).toEqual({
    kind: 'excluded',
    reason: 'prefetch',
  });
});

test('neither is a look at the debug page, whoever takes it', () => {
  for (const method of ['GET', 'HEAD']) {
    expect(classifyVisit({ method, visitor, debug: true })).toEqual({ kind: 'excluded', reason: 'debug' });
  }
});

test('neither is a HEAD request, whoever sends it', () => {
  for (const userAgent of [userAgents.iphone, 'Twitterbot/1.0', '']) {
    expect(classifyVisit({ method: 'HEAD', visitor: visitorOf(userAgent) })).toEqual({
      kind: 'excluded',
      reason: 'head',
    });
  }
});

test.each([
  ['Twitterbot/1.0', 'social-crawler'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['', 'bot'],
])('neither is %s', (userAgent, reason) => {
  expect(classifyVisit({ method: 'GET', visitor: visitorOf(userAgent) })).toEqual({
    kind: 'excluded',
    reason,
  });
});
