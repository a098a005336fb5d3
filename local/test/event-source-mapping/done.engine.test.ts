import { doneByAll } from '../../event-source-mapping/mapping.ts';
import { accept, aStream, failed, until } from './stream.ts';

test('a record counts as done once every mapping is done with it, and none before a shard is found', async () => {
  const { start } = await aStream('a');
  let isBroken = true;
  const first = start(accept).mapping;
  const second = start(() => (isBroken ? failed : accept())).mapping;
  expect([first.done(), second.done()]).toEqual([0, 0]);
  await first.idle();
  expect(first.done()).toBeGreaterThan(0);
  expect(doneByAll([first, second])).toBe(0);
  isBroken = false;
  await until(() => second.done() > 0);
  expect(doneByAll([first, second])).toBe(first.done());
});
