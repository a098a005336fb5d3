import fc from 'fast-check';
import { visitorHash, withoutPort } from '../../../core/visits/visitor-identity.ts';

test.each([
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::7:4711', '2001:db8::7'],
  ['::1:80', '::1'],
  ['', ''],
])('the address of %s is %s', (viewerAddress, address) => {
  expect(withoutPort(viewerAddress)).toBe(address);
});

describe('visitorHash', () => {
  const visit = { project: 'acme', code: 'launch', address: '203.0.113.7', userAgent: 'Firefox' };

  test.each([
    ['link', { code: 'other' }],
    ['project', { project: 'other' }],
    ['address', { address: '203.0.113.8' }],
    ['user agent', { userAgent: 'Chrome' }],
  ])('differs by %s', (_, change) => {
    expect(visitorHash('secret', { ...visit, ...change })).not.toBe(visitorHash('secret', visit));
  });

  const hashFrom = (address: string) => visitorHash('secret', { ...visit, address });

  test.each([
    ['2001:db8::7', '2001:db8:0:0:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::'],
    ['2001:DB8:1:2::1', '2001:db8:1:2:9::'],
    ['::1', '::2'],
    ['203.0.113.7', '::ffff:203.0.113.7'],
  ])('is the same for %s and %s in one network', (one, other) => {
    expect(hashFrom(one)).toBe(hashFrom(other));
  });

  test.each([
    ['2001:db8:0:1::7', '2001:db8:0:2::7'],
    ['2001:db8::7', '2001:db9::7'],
    ['2001:db8:1:20::', '2001:db8:1:2::'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.8'],
  ])('differs for %s and %s in two networks', (one, other) => {
    expect(hashFrom(one)).not.toBe(hashFrom(other));
  });

  test('uses the /64 of any IPv6 address, in any spelling', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });
    const written = (all: readonly number[]) => all.map((one) => one.toString(16)).join(':');
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (network, host, otherHost) => {
        const address = written([...network, ...host]);
        expect(hashFrom(written([...network, ...otherHost]))).toBe(hashFrom(address));
        expect(hashFrom(new URL(`http://[${address}]`).hostname.slice(1, -1))).toBe(hashFrom(address));
        const elsewhere = network.with(3, (network[3] ?? 0) ^ 1);
        expect(hashFrom(written([...elsewhere, ...host]))).not.toBe(hashFrom(address));
      }),
    );
  });

  test('differs by secret and reveals nothing of the visit', () => {
    const hash = visitorHash('secret', visit);
    expect(visitorHash('another', visit)).not.toBe(hash);
    expect(hash).toMatch(/^[\w-]{22}$/);
  });
});
