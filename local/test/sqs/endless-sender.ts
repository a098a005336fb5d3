import { startStack } from '../../stack.ts';

/** Sends ascending numbers that come after a delay, and prints each acknowledged one, until it is killed. */
const [assembly = '', data = '', id = ''] = process.argv.slice(2);
const stack = await startStack({
  assembly,
  data,
  apiPort: 0,
  distributionPort: 0,
  engine: 'sqlite',
  log: () => undefined,
});
for (let n = 1; ; n++) {
  await stack.invoke(id, { MessageBody: String(n), DelaySeconds: 1 });
  console.log(n);
}
