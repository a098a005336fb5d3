import * as fc from 'fast-check';
import { groupCalls } from '../../table-gateway/grouped-calls.ts';

interface Call {
  readonly name: number;
  readonly subjects: readonly string[];
}

const subject = fc.nat({ max: 30 }).map((n) => `item-${n}`);
const calls = fc
  .array(fc.uniqueArray(subject, { maxLength: 3 }), { minLength: 1, maxLength: 600 })
  .map((all) => all.map((subjects, name): Call => ({ name, subjects })));

/** Sends calls at once; resolves to the groups that ran. */
const groupsOf = async (sent: readonly Call[], mayRepeat: boolean, takesTurns = false) => {
  const groups: (readonly Call[])[] = [];
  const over = Promise.withResolvers<void>();
  let left = sent.length;
  const send = groupCalls<Call>({
    subjectsOf: ({ subjects }) => subjects,
    mayRepeat,
    takesTurns,
    run: async (group) => {
      groups.push(group);
      await undefined;
      left -= group.length;
      if (left === 0) over.resolve();
    },
  });
  for (const call of sent) send(call);
  await over.promise;
  return groups;
};

test('every call runs once, with at most a hundred actions in a group, and by itself if it names no item', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.boolean(), async (sent, mayRepeat) => {
      const groups = await groupsOf(sent, mayRepeat);
      const ran = groups.flat();
      expect(ran.map(({ name }) => name).sort((a, b) => a - b)).toEqual(sent.map(({ name }) => name));
      for (const group of groups) {
        const subjects = group.flatMap((call) => call.subjects);
        expect(subjects.length).toBeLessThanOrEqual(100);
        if (!mayRepeat) expect(new Set(subjects).size).toBe(subjects.length);
        if (group.some((call) => call.subjects.length === 0)) expect(group).toHaveLength(1);
      }
    }),
    { numRuns: 50 },
  );
});

test('calls on one item run in their order', async () => {
  const sent = Array.from({ length: 1000 }, (_, name) => ({ name, subjects: ['one'] }));
  expect((await groupsOf(sent, false)).flat()).toEqual(sent);
});

test('where groups take turns, one has all calls of a turn; else the first goes at once', async () => {
  const sent = Array.from({ length: 5 }, (_, name) => ({ name, subjects: [`item-${name}`] }));
  const sizes = (groups: readonly (readonly Call[])[]) => groups.map(({ length }) => length);
  expect(sizes(await groupsOf(sent, true, true))).toEqual([5]);
  expect(sizes(await groupsOf(sent, true))).toEqual([1, 4]);
});
