import { startEngine } from '../../local/engine/engine.ts';
import { engineClient } from '../../local/engine/engine-client.ts';
import { answerTo, isSame } from './answers.ts';
import { judgedTables } from './judged-tables.ts';
import { hasWordsOf, knownDifferences, withoutWords } from './known-differences.ts';
import { recordedAnswers } from './recorded-answers.ts';

test('recorded calls have the answers that DynamoDB Local gave', async () => {
  const engine = await startEngine({ engine: 'sqlite' });
  const client = engineClient(engine.endpoint);
  for (const table of Object.values(judgedTables)) await client.call('CreateTable', table);
  const others: object[] = [];
  for (const { answer: theirs, ...call } of recordedAnswers()) {
    const ours = await answerTo(client, call);
    if (isSame(withoutWords(ours), withoutWords(theirs)) && hasWordsOf(theirs, ours)) continue;
    if (!knownDifferences.some(({ covers }) => covers({ call, ours, theirs })))
      others.push({ call, ours, theirs });
  }
  expect(others).toEqual([]);
  client.close();
  await engine.stop();
});
