import { measureCapacity } from '../../bench/capacity.ts';
import budget from '../../bench/capacity-budget.json';
import { assemble } from '../../ops/local/app.ts';

// What an operation costs is exact, so a change of it is a decision: `npm run bench -- capacity` shows the table, and
// a new figure goes into bench/capacity-budget.json with the change that explains it.
test('no operation uses more table capacity than its budget', async () => {
  expect(await measureCapacity(await assemble())).toEqual(budget);
});
