import fc from 'fast-check';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { holdsText } from '../../../core/links/link-filter.ts';
import { addressesOf } from '../../../core/links/payload.ts';

const link = { code: 'Launch', name: 'Spring Sale', payload: { ...examplePayload } };

test.each(['launch', 'LAUNCH', 'aunc', 'spring sale', 'g S', 'sale, SPRING', '“sale” launch'])(
  'finds %s in code or name, by its words and ignoring case',
  (text) => expect(holdsText(link, text)).toBe(true),
);

test('finds every address of a link', () => {
  const addresses = Object.values(addressesOf(link.payload)).filter((address) => typeof address === 'string');
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses)
    expect([address, holdsText(link, address.toUpperCase())]).toEqual([address, true]);
});

test('finds words in a name that has punctuation between them', () => {
  const named = { ...link, name: 'Newsletter, (button)' };
  expect([holdsText(named, 'newsletter button'), holdsText(named, 'newsletter footer')]).toEqual([
    true,
    false,
  ]);
});

test.each(['autumn', 'utm', 'com.example.app.none', 'a-b', 'example.com/a', 'a autumn', '?!'])(
  'finds no link by %s, which is in no searched field',
  (text) =>
    expect(holdsText({ code: 'a', name: undefined, payload: { link: 'https://example.com/' } }, text)).toBe(
      false,
    ),
);

test('finds each part of a name', () => {
  const part = fc.tuple(fc.string(), fc.string({ minLength: 1 }), fc.string());
  fc.assert(
    fc.property(part, ([before, text, after]) => holdsText({ ...link, name: before + text + after }, text)),
  );
});
