import * as fc from 'fast-check';
import { type AddressAllowance, addressBelow } from '../../../core/share-links/share-address.ts';

const none: AddressAllowance = { path: false, query: [], fragment: false };
const all: AddressAllowance = { path: true, query: true, fragment: true };
const team = 'https://shop.example/join?ref=app#top';

test.each<[what: string, template: string, request: string, allowed: AddressAllowance, address: string]>([
  ['the template itself', team, team, none, team],
  ['the template in another spelling', team, 'HTTPS://SHOP.example:443/./join?ref=app#top', none, team],
  [
    'a template whose host ends with a dot',
    'https://a.example./',
    'https://A.example.',
    none,
    'https://a.example./',
  ],
  ['the template with a slash at the end', team, 'https://shop.example/join/', none, team],
  ['the template without its parameters', team, 'https://shop.example/join', none, team],
  ['a path below', team, 'https://shop.example/join/42/', all, 'https://shop.example/join/42/?ref=app#top'],
  ['a path below the root', 'https://shop.example', 'https://shop.example/a', all, 'https://shop.example/a'],
  ['a slash that counts once', 'https://a.example/t/', 'https://a.example/t/x', all, 'https://a.example/t/x'],
  ['letters', 'https://a.example/', 'https://a.example/ü', all, 'https://a.example/%C3%BC'],
  [
    'a segment of 255 characters that are 510 in UTF-16',
    'https://a.example/',
    `https://a.example/${'\u{1f600}'.repeat(255)}`,
    all,
    `https://a.example/${'%F0%9F%98%80'.repeat(255)}`,
  ],
  [
    'an added parameter',
    team,
    'https://shop.example/join?a=1',
    { ...none, query: ['a'] },
    'https://shop.example/join?ref=app&a=1#top',
  ],
  [
    'a parameter after those of the template',
    team,
    'https://shop.example/join?ref=app&a=1#top',
    { ...none, query: ['a'] },
    'https://shop.example/join?ref=app&a=1#top',
  ],
  ['a fragment', team, 'https://shop.example/join#x', all, 'https://shop.example/join?ref=app#x'],
  [
    'a path that leaves and comes back',
    team,
    'https://shop.example/join/../join/7',
    all,
    `https://shop.example/join/7?ref=app#top`,
  ],
])('%s is accepted', (_, template, request, allowed, address) => {
  expect(addressBelow(template, request, allowed)).toEqual({ address });
});

test.each<[what: string, request: string, allowed: AddressAllowance, fault: string]>([
  ['another host', 'https://evil.example/join', all, 'otherOrigin'],
  ['another scheme', 'http://shop.example/join', all, 'otherOrigin'],
  ['another port', 'https://shop.example:8443/join', all, 'otherOrigin'],
  ['a subdomain', 'https://a.shop.example/join', all, 'otherOrigin'],
  ['a host with a final dot', 'https://shop.example./join', all, 'otherOrigin'],
  ['a host in other letters', 'https://shop.exаmple/join', all, 'otherOrigin'],
  ['a backslash', 'https://shop.example/join\\x', all, 'rawBackslash'],
  ['a tab', 'https://shop.example/join/\tx', all, 'rawBackslash'],
  ['a longer segment', 'https://shop.example/joinx', all, 'pathNotBelow'],
  ['a parent', 'https://shop.example/join/..', all, 'pathNotBelow'],
  ['an encoded parent', 'https://shop.example/join/%2e%2E/admin', all, 'pathNotBelow'],
  ['an encoded slash', 'https://shop.example/join/a%2Fb', all, 'pathSegment'],
  ['an encoded backslash', 'https://shop.example/join/a%5Cb', all, 'pathSegment'],
  ['a double encoding', 'https://shop.example/join/%252e%252e', all, 'pathSegment'],
  ['a semicolon', 'https://shop.example/join/a;b', all, 'pathSegment'],
  ['a control character', 'https://shop.example/join/a%00', all, 'pathSegment'],
  ['bytes that are not UTF-8', 'https://shop.example/join/%ff', all, 'pathSegment'],
  ['an empty segment', 'https://shop.example/join//x', all, 'pathSegment'],
  ['two slashes at the end', 'https://shop.example/join/x//', all, 'pathSegment'],
  ['a segment of 256 characters', `https://shop.example/join/${'a'.repeat(256)}`, all, 'pathSegment'],
  ['a path that is not allowed', 'https://shop.example/join/7', { ...all, path: false }, 'pathFixed'],
  ['the parameter of the template', 'https://shop.example/join?ref=me', all, 'parameterFixed'],
  ['that parameter in capitals', 'https://shop.example/join?REF=me', all, 'parameterFixed'],
  ['that parameter encoded', 'https://shop.example/join?r%65f=app', all, 'parameterFixed'],
  ['that parameter again', 'https://shop.example/join?ref=app&ref=me', all, 'parameterFixed'],
  ['that parameter later', 'https://shop.example/join?a=1&ref=app', all, 'parameterFixed'],
  ['a parameter twice', 'https://shop.example/join?a=1&%61=2', all, 'parameterTwice'],
  [
    'a parameter that is not allowed',
    'https://shop.example/join?b=1',
    { ...all, query: ['B'] },
    'parameterRefused',
  ],
  ['a fragment that is not allowed', 'https://shop.example/join#x', none, 'fragmentFixed'],
])('%s is refused', (_, request, allowed, fault) => {
  expect(addressBelow(team, request, allowed)).toMatchObject({ fault });
});

test('a path below a host that ends with a dot is refused', () => {
  expect(addressBelow('https://a.example./', 'https://a.example./b', all)).toEqual({ fault: 'hostDot' });
});

const pieces = fc.constantFrom(
  ...'a . .. %2e %2E%2e %2f %5c \\ / // ; %25 %00 @ : ? & # = ref REF r%65f join ü %ff + 。 []'.split(' '),
  ...['shop.example', 'evil.example', ' ', '\t'],
);
const hostile = fc.tuple(
  fc.constantFrom('https://shop.example/join', 'https://shop.example', 'https://', 'https:/', '//', ''),
  fc.array(pieces, { maxLength: 12 }),
);

test('an accepted address stays below the template for programs that decode it once or twice', () => {
  let accepted = 0;
  fc.assert(
    fc.property(hostile, ([start, rest]) => {
      const judged = addressBelow(team, start + rest.join(''), all);
      if (!('address' in judged)) return;
      accepted += 1;
      const url = new URL(judged.address);
      expect(url.href).toBe(judged.address);
      expect([url.origin, url.username, url.password]).toEqual(['https://shop.example', '', '']);
      expect(url.pathname).toMatch(/^\/join(\/|$)/);
      const decoded = decodeURIComponent(url.pathname);
      expect(decoded).toBe(decodeURIComponent(decoded));
      expect(decoded).not.toMatch(/[\\;]|\/\/|\/\.{1,2}(\/|$)/);
      expect(url.search).toMatch(/^\?ref=app(&|$)/);
      const names = [...url.searchParams.keys()];
      expect(names.filter((name) => name.toLowerCase() === 'ref')).toEqual(['ref']);
      expect(new Set(names).size).toBe(names.length);
      expect(addressBelow(team, judged.address, all)).toEqual(judged);
    }),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(20);
});
