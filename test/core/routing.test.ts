import * as fc from 'fast-check';
import type { LinkPayload } from '../../core/link.ts';
import { destination } from '../../core/routing.ts';
import { platformOf } from '../../core/visitor.ts';

const link = 'https://example.com/landing';

describe('destination', () => {
  test.each<[string, LinkPayload, 'android' | 'ios' | 'web', string]>([
    [
      'android to its store fallback',
      { link, android: { store_fallback: 'https://store.example/app', package: 'a.b' } },
      'android',
      'https://store.example/app',
    ],
    [
      'android to Google Play by package',
      { link, android: { package: 'com.example.app' } },
      'android',
      'https://play.google.com/store/apps/details?id=com.example.app',
    ],
    ['android to the destination without settings', { link }, 'android', link],
    [
      'ios to its store fallback',
      { link, ios: { app_store_fallback: 'https://store.example/ios', app_store_id: '1' } },
      'ios',
      'https://store.example/ios',
    ],
    [
      'ios to the App Store by id',
      { link, ios: { app_store_id: '123456789' } },
      'ios',
      'https://apps.apple.com/app/id123456789',
    ],
    ['ios to the destination without settings', { link, android: { package: 'a.b' } }, 'ios', link],
    [
      'desktop to the desktop fallback',
      { link, desktop_fallback: 'https://desktop.example/' },
      'web',
      'https://desktop.example/',
    ],
    ['desktop to the destination', { link, ios: { app_store_id: '1' } }, 'web', link],
  ])('sends %s', (_, payload, platform, expected) => {
    expect(destination(payload, platform)).toBe(expected);
  });

  test('never leads anywhere but to http and https', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.constantFrom('javascript:alert(1)', 'data:text/html,x', 'java\nscript:1'),
        ),
        (text) => {
          const url = destination({ link: text }, 'web');
          expect(url === undefined || /^https?:\/\//.test(url)).toBe(true);
        },
      ),
    );
  });
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'ios'],
  ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'ios'],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    'android',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', 'web'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
    'web',
  ],
  ['', 'web'],
])('%s is %s', (userAgent, platform) => {
  expect(platformOf(userAgent)).toBe(platform);
});
