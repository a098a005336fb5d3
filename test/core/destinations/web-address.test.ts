import { webAddressFault } from '../../../core/destinations/web-address.ts';
import { webAddress } from '../../../core/destinations/web-address-schema.ts';

test.each([
  'https://example.com',
  'http://example.com:8080/path?q=1#fragment',
  'https://例え.jp/パス',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://example.com/?next=http://127.0.0.1/',
])('accepts %s', (text) => {
  expect(webAddressFault(text)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  '//example.com',
  'example.com',
  '',
  'https://',
  'https://user:secret@example.com/',
  'https://user@example.com/',
])('refuses %s', (text) => {
  expect(webAddressFault(text)).toBeDefined();
});

test.each([
  'localhost',
  'LOCALHOST.',
  'api.localhost',
  'intranet',
  'printer.local',
  'metadata.google.internal',
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '224.0.0.1',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[64:ff9b::a00:1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
])('refuses the host %s', (host) => {
  expect(['privateHost', 'notUrl']).toContain(webAddressFault(`https://${host}/`));
});

test.each([
  ['a..b.example', 'notUrl'],
  ['.example.com', 'notUrl'],
  [`a${'.'.repeat(2000)}example`, 'notUrl'],
  [`${'a'.repeat(64)}.example`, 'notUrl'],
  [`${'a.'.repeat(124)}example`, 'notUrl'],
  [`${'a.'.repeat(123)}example`, undefined],
  [`${'a'.repeat(63)}.example.`, undefined],
])('the host %s, which no name server may know, is refused', (host, fault) => {
  expect(webAddressFault(`https://${host}/`)).toBe(fault);
});

test.each(['\u0000', '\u001b', '\u007f'])('refuses the control character %j', (control) => {
  expect(webAddressFault(`https://example.com/#${control}`)).toBe('controlCharacters');
});

test.each(['\u0085', '\u009f'])('the control character %j can be in a stored address only', (control) => {
  const address = `https://example.com/stra\u00c3${control}e`;
  expect(webAddressFault(address)).toBeUndefined();
  expect(webAddress.safeParse(address).error?.issues[0]?.message).toContain(
    'must not contain control characters',
  );
});
