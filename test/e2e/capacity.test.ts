import { measureCapacity } from '../../bench/capacity.ts';
import budget from '../../bench/capacity-budget.json';
import { assemble } from '../../ops/local/app.ts';

// What an operation costs is exact, so a change of it is a decision, which the file's diff shows.
test('bench/capacity-budget.json is what `npm run generate` writes', async () => {
  expect(await measureCapacity(await assemble())).toEqual(budget);
});
