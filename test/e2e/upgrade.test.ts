import { expectExact, left, project } from '../support/figures-of-1.0.0.ts';
import { fillTable } from '../support/fill-table.ts';
import { openWholeTable } from '../support/lean-table.ts';
import {
  dataFolder,
  dropDataFolder,
  type RunningStack,
  startLocalStack,
  tableOf,
} from '../support/local-stack.ts';

const data = dataFolder();
let stack: RunningStack;
afterAll(async () => {
  await stack.stop();
  dropDataFolder(data);
});

test('a folder of 1.0.0 has complete figures after a start, without a command', async () => {
  stack = await startLocalStack(data);
  await stack.admin('project', 'create', project);
  // Its figures were kept for 30 days; here nothing may expire.
  const items = left.items.map(({ ttl, ...item }) => item);
  await fillTable(tableOf(stack), items);
  await stack.stop();
  stack = await startLocalStack(data);
  const { endpoint, ...options } = tableOf(stack);
  await expectExact(openWholeTable(endpoint, options), left.deliveries, Date.now());
});
