import * as fc from 'fast-check';
import { tableSchema } from '../../core/table/keys.ts';
import { type BothWriters, startBothWriters } from '../../local/test/table-gateway/both-writers.ts';
import { callsOf, compareCalls, writeRuns } from '../../local/test/table-gateway/write-templates.ts';
import { tableProperties } from '../support/table-properties.ts';
import { productWrites } from './product-writes.ts';

let both: BothWriters;
beforeAll(async () => {
  both = await startBothWriters({
    id: 'Table',
    name: 'Written',
    arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Written',
    properties: tableProperties,
    ttlAttribute: tableSchema.ttl,
  });
});
afterAll(() => both.stop());

const writes = productWrites().map((template) => {
  const { kind, update = '', condition = '' } = template;
  return [`${kind} ${update} ${condition && `if ${condition}`}`, template] as const;
});

test.each(writes)('%s', async (_, template) => {
  const counts = { made: 0, 'not met': 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(callsOf([template]), async (calls) => {
      const outcomes = await compareCalls(both, calls);
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += outcomes[name];
    }),
    writeRuns(1),
  );
  // A write that the engine always refuses is known to neither.
  expect(counts.made + counts['not met']).toBeGreaterThan(0);
});
