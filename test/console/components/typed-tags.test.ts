import * as fc from 'fast-check';
import { takeTyped } from '../../../console/components/typed-tags.ts';
import { requestedTags } from '../../../core/links/link-schema.ts';
import { runs } from '../../support/nightly.ts';

test('a valid text becomes a tag, and the rest stays with its faults', () => {
  expect(takeTyped('Summer, sale', ['summer'])).toEqual({ all: ['summer', 'sale'], rest: '' });
  expect(takeTyped('a,b@d,c', [])).toEqual({
    all: ['a', 'c'],
    rest: 'b@d',
    fault: expect.stringContaining('must be 1 to 32 letters'),
  });
  expect(takeTyped(' Black  Friday,sale', [])).toEqual({ all: ['black-friday', 'sale'], rest: '' });
  const ten = Array.from({ length: 10 }, (_, i) => `tag-${i}`);
  expect(takeTyped('more, tag-1', ten)).toEqual({ all: ten, rest: 'more', fault: 'at most 10 tags' });
});

test('nothing that is typed is lost, and the API takes all tags', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9][a-z._:/-]{0,3}$/),
    fc.stringMatching(/^[^\s,]{1,40}$/),
  );
  const typing = fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 5 });
  fc.assert(
    fc.property(typing, (rounds) => {
      let tags: readonly string[] = [];
      for (const words of rounds) {
        const taken = takeTyped(words.join(', '), tags);
        const held = new Set([...taken.all, ...taken.rest.split(', ')].map((one) => one.toLowerCase()));
        expect(words.filter((one) => !held.has(one.toLowerCase()))).toEqual([]);
        expect(tags.filter((one) => !taken.all.includes(one))).toEqual([]);
        expect(requestedTags.parse(taken.all)).toEqual(taken.all);
        expect(taken.rest === '').toBe(taken.fault === undefined);
        tags = taken.all;
      }
    }),
    { numRuns: runs(40) },
  );
});
