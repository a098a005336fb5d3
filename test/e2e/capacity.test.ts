import { measureCapacity } from '../../bench/capacity.ts';
import budget from '../../bench/capacity-budget.json';
import { assemble } from '../../dev/app.ts';
import { testAtNight } from '../support/nightly.ts';

// An operation's cost is exact, so a change of it is a decision, which the file's diff shows.
testAtNight('bench/capacity-budget.json is up to date with `npm run generate`', async () => {
  expect(await measureCapacity(await assemble())).toEqual(budget);
});
