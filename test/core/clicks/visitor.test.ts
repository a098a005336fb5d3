import { addressOf, visitorHash } from '../../../core/clicks/visitor.ts';

test.each([
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::7:4711', '2001:db8::7'],
  ['::1:80', '::1'],
  ['', ''],
])('the address of %s is %s', (viewerAddress, address) => {
  expect(addressOf(viewerAddress)).toBe(address);
});

describe('visitorHash', () => {
  const visit = { project: 'acme', code: 'launch', address: '203.0.113.7', userAgent: 'Firefox' };

  test('is the same for the same visit', () => {
    expect(visitorHash('secret', visit)).toBe(visitorHash('secret', { ...visit }));
  });

  test.each([
    ['link', { code: 'other' }],
    ['project', { project: 'other' }],
    ['address', { address: '203.0.113.8' }],
    ['user agent', { userAgent: 'Chrome' }],
  ])('differs by %s', (_, change) => {
    expect(visitorHash('secret', { ...visit, ...change })).not.toBe(visitorHash('secret', visit));
  });

  test('differs by secret and shows nothing of the visit', () => {
    const hash = visitorHash('secret', visit);
    expect(visitorHash('another', visit)).not.toBe(hash);
    expect(hash).toMatch(/^[\w-]{22}$/);
  });
});
