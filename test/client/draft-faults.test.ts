import fc from 'fast-check';
import { draftFault } from '../../client/program/draft-faults.ts';
import { readBody } from '../../core/api/request.ts';
import { checkAlone } from '../../core/links/link-draft.ts';
import { linkDraft } from '../../core/links/link-schema.ts';
import { badDrafts } from '../support/bad-drafts.ts';
import { harmlessUrls, hostileUrls } from '../support/hostile-urls.ts';
import { isNightly } from '../support/nightly.ts';

/** What the API says before it looks at the table. */
const apiFault = (link: object): string | undefined => {
  try {
    checkAlone(readBody(linkDraft, JSON.parse(JSON.stringify(link)), 'link'), new Date());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const expectEqual = (link: object) => expect([link, draftFault(link)]).toEqual([link, apiFault(link)]);

test.each([...hostileUrls, ...harmlessUrls])('says of the address %j what the API says', (link) => {
  expectEqual({ payload: { link, desktop_fallback: link } });
});

test.each([
  [
    '2030-01-31',
    '2030-01-31T12:00Z',
    '2030-01-31T12:00:00.123+05:30',
    '2030-01-31T12:00',
    '2030-01-31T12:00 01:00',
  ],
  [
    '2030-02-30',
    '2030-13-01',
    '2030-01-31T24:00Z',
    '2030-01-31T23:60Z',
    '2030-01-31T23:59:60Z',
    '2030-01-31T12:00+14:00',
  ],
  [
    '2030-01-31T12:00+14:01',
    '2030-01-31T12:00-12:01',
    '2030-01-31T12:00-12:00',
    '2030-01-31T12:00+01:60',
    'tomorrow',
    '',
  ],
  [
    '0000-01-01T00:00+01:00',
    '9999-12-31T23:00-02:00',
    '9999-12-31T23:00Z',
    '2020-01-01',
    `2030-01-31T12:00:00.${'1'.repeat(30)}Z`,
  ],
])('says of times what the API says: %j and others', (...times) => {
  for (const time of times) {
    expectEqual({ payload: { link: 'https://example.com' }, expiresAt: time });
    const rule = { name: 'a', link: 'https://example.com/a' };
    const rules = [
      { ...rule, from: time },
      { ...rule, name: 'b', from: time, until: '2030-01-31T12:00Z' },
    ];
    expectEqual({ payload: { link: 'https://example.com', rules } });
  }
});

test('says of whatever is wrong with a link what the API says, and accepts nothing else', () => {
  let refused = 0;
  fc.assert(
    fc.property(badDrafts, (link) => {
      const said = apiFault(link);
      if (said !== undefined) refused += 1;
      expect(draftFault(link)).toBe(said);
    }),
    { numRuns: isNightly ? 5000 : 150 },
  );
  expect(refused).toBeGreaterThan(50);
});
