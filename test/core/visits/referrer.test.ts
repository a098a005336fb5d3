import * as fc from 'fast-check';
import { referrerOf } from '../../../core/visits/referrer.ts';
import { anyAddress } from '../../support/any-address.ts';

test.each([
  [undefined, 'direct'],
  ['', 'direct'],
  ['  ', 'direct'],
  ['https://www.Example.com:8443/path?q=1', 'example.com'],
  ['http://news.example.com/', 'news.example.com'],
  ['https://www.co/', 'co'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['http://203.0.113.7/', '203.0.113.7'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
  [
    'android-app://com.google.android.googlequicksearchbox/https/www.google.com',
    'com.google.android.googlequicksearchbox',
  ],
  ['android-app://', 'other'],
  ['about:blank', 'other'],
  ['not an address', 'other'],
  ['ftp://files.example.com/', 'other'],
  [`https://${'a.'.repeat(60)}example/`, 'other'],
])('%s is %s', (referer, referrer) => {
  expect(referrerOf(referer)).toBe(referrer);
});

test.each([
  ['https://go.example.com/launch', 'go.example.com', 'direct'],
  ['https://go.example.com/launch', 'GO.Example.com', 'direct'],
  ['http://127.0.0.1:8788/demo/launch', '127.0.0.1:8788', 'direct'],
  ['https://example.com/', 'go.example.com', 'example.com'],
  ['about:blank', '', 'other'],
  ['https://news.example/', '', 'news.example'],
])('%s at the host %s is %s', (referer, asked, referrer) => {
  expect(referrerOf(referer, asked)).toBe(referrer);
});

test('is short and one word, whatever a visitor sends', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        anyAddress,
        fc.string().map((host) => `https://${host}/`),
      ),
      (referer) => {
        expect(referrerOf(referer)).toMatch(/^\S{1,100}$/);
      },
    ),
  );
});
