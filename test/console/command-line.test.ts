import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { commandFor, shellLine } from '../../console/command-line.ts';
import { quoted, shellOption } from '../../core/base/shell-words.ts';
import { outputOf } from '../support/command.ts';

/** The words that a shell makes of each line. */
const wordsOf = (...lines: readonly string[]): string[][] => {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return printed
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
};

// Only a newline ends the words above.
const text = fc
  .string({
    unit: fc.constantFrom(...'aZ0-_=~*?[]{}()<>|&;#$`"\'\\!%@^,.:/ \t\u00e9\u{1f600}'),
    maxLength: 12,
  })
  .filter((one) => one !== '');

test('a shell gives every quoted text back as it is', () => {
  const texts = ['', '-', '--', "it's", 'a\nb', '$HOME', '~', '*', '=ls', ...fc.sample(text, 300)];
  expect(wordsOf(texts.map(quoted).join(' '))).toEqual([texts]);
});

const flags = shellOption('data', 'my folder');

test('a line keeps its operands and options, whatever they hold', () => {
  const lines = fc.sample(fc.record({ operand: text, search: text }), 100);
  const shown = lines.map(({ operand, search }) =>
    shellLine(commandFor('link show', [operand], { project: 'demo', search, yes: true, host: '' }), flags),
  );
  wordsOf(...shown).forEach((words, at) => {
    const { operand, search } = lines[at] as (typeof lines)[0];
    const option = search.startsWith('-') ? [`--search=${search}`] : ['--search', search];
    const options = ['--project', 'demo', ...option, '--yes', '--data', 'my folder'];
    const given = operand.startsWith('-') ? [...options, '--', operand] : [operand, ...options];
    expect(words).toEqual(['npx', 'dls', 'link', 'show', ...given]);
  });
});

test.each(['launch', '-fo3', '--yes', '--'])('the command line takes the code %s from it', async (code) => {
  const [words = []] = wordsOf(shellLine(commandFor('link show', [code], { project: 'demo' }), flags));
  await expect(outputOf(words.slice(2))).rejects.toThrow('No local stack is running in my folder');
});
