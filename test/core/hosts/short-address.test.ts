import { isServiceHost } from '../../../core/hosts/short-address.ts';

test.each([
  ['d111111abcdef8.cloudfront.net', true],
  ['go.example.com', true],
  ['localhost:8788', true],
  ['shop.example.com', false],
  ['a.b.cloudfront.net', false],
])("whether %s is the service's own host: %p", (host, isOwn) => {
  expect(isServiceHost(host, 'go.example.com')).toBe(isOwn);
});
