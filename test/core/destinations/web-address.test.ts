import { webAddressFault } from '../../../core/destinations/web-address.ts';
import { webAddress } from '../../../core/destinations/web-address-schema.ts';
import { harmlessUrls, hostileUrls } from '../../support/hostile-urls.ts';

test.each(harmlessUrls)('accepts %j', (address) => {
  expect(webAddressFault(address)).toBeUndefined();
  expect(webAddress.safeParse(address).success).toBe(true);
});

test.each(hostileUrls)('refuses %j', (address) => {
  expect(webAddress.safeParse(address).success).toBe(false);
  // Addresses that are too long or ill-formed may be stored.
  const isStorable = address.length > 2048 || !address.isWellFormed();
  expect(webAddressFault(address) === undefined).toBe(isStorable);
});

test.each([
  ['a..b.example', 'notUrl'],
  ['.example.com', 'notUrl'],
  [`a${'.'.repeat(2000)}example`, 'notUrl'],
  [`${'a'.repeat(64)}.example`, 'notUrl'],
  [`${'a.'.repeat(124)}example`, 'notUrl'],
  [`${'a.'.repeat(123)}example`, undefined],
  [`${'a'.repeat(63)}.example.`, undefined],
])('the host %s, which no name server may have, is refused', (host, fault) => {
  expect(webAddressFault(`https://${host}/`)).toBe(fault);
});

test.each([...'\u00a0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff'])(
  '%j can end a stored address only',
  (character) => {
    const address = `https://example.com/${character}`;
    expect(webAddressFault(address)).toBeUndefined();
    expect(webAddress.safeParse(address).error?.issues[0]?.message).toContain('end with a space');
    expect(webAddress.safeParse(`${address}e`).success).toBe(true);
  },
);

test.each([
  String.raw`https://good.example\@evil.example/`,
  String.raw`https://good.example/\@169.254.169.254/`,
  String.raw`https://good.example/a\b?c`,
])('a backslash before the query can be in a stored address only: %s', (address) => {
  expect(webAddressFault(address)).toBeUndefined();
  expect(webAddress.safeParse(address).error?.issues[0]?.message).toContain('backslash');
  expect(webAddress.safeParse(String.raw`https://good.example/?a\b#\c`).success).toBe(true);
});

test.each(['\u0085', '\u009f'])('the control character %j can be in a stored address only', (control) => {
  const address = `https://example.com/stra\u00c3${control}e`;
  expect(webAddressFault(address)).toBeUndefined();
  expect(webAddress.safeParse(address).error?.issues[0]?.message).toContain(
    'must not contain control characters',
  );
});
