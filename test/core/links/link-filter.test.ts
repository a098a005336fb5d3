import { examplePayload } from '../../../core/links/example-payload.ts';
import { holdsText } from '../../../core/links/link-filter.ts';
import { addressesOf } from '../../../core/links/payload.ts';

const link = { code: 'Launch', name: 'Spring Sale', payload: { ...examplePayload } };

test.each(['launch', 'LAUNCH', 'aunc', 'spring sale', 'g S'])(
  'finds %s in code or name, ignoring case',
  (text) => expect(holdsText(link, text)).toBe(true),
);

test('finds every address of a link', () => {
  const addresses = Object.values(addressesOf(link.payload)).filter((address) => typeof address === 'string');
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses)
    expect([address, holdsText(link, address.toUpperCase())]).toEqual([address, true]);
});

test.each(['autumn', 'utm', 'com.example.app.none'])(
  'finds no link by %s, which is in no searched field',
  (text) =>
    expect(holdsText({ code: 'a', name: undefined, payload: { link: 'https://example.com/' } }, text)).toBe(
      false,
    ),
);
