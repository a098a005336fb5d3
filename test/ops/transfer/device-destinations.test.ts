import type { Link } from '../../../core/links/link.ts';
import { deviceDifferences, ruledDevices } from '../../../ops/transfer/device-destinations.ts';

const everywhere = (url: string) => ({ android: url, iphone: url, ipad: url, desktop: url });

test.each([
  ['https://example.com/?a=1', 'https://example.com/?a=1&utm_source=mail&referrer=x', 0],
  ['https://example.com/?a=1', 'https://example.com/?a=2', 4],
  ['nowhere', 'https://example.com/', 4],
])('%s and %s differ on %i devices', (here, there, count) => {
  expect(deviceDifferences(everywhere(here), everywhere(there))).toHaveLength(count);
});

test.each<[NonNullable<Link['payload']['rules']>[number]['platforms'], string[]]>([
  [['ios'], ['ipad', 'iphone']],
  [
    ['android', 'web'],
    ['android', 'desktop'],
  ],
  [undefined, ['android', 'desktop', 'ipad', 'iphone']],
])('a rule for %j may decide on %j', (platforms, devices) => {
  const link = 'https://example.com/';
  const rules = [{ name: 'one', from: '2026-01-01T00:00:00.000Z', link, ...(platforms && { platforms }) }];
  expect(Object.keys(ruledDevices({ payload: { link, rules } })).toSorted()).toEqual(devices);
});
