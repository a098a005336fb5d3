import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startThread } from '../../base/thread.ts';
import { newFolder } from '../folder.ts';

const folder = newFolder();
const helper = JSON.stringify(join(import.meta.dirname, '../../base/thread.ts'));
const start = (body: string, notes: string[] = []) => {
  const module = `part-${notes.length}-${Math.random()}`;
  const source = `import { runThread } from ${helper};\nrunThread(async (data, tell) => { ${body} });\n`;
  writeFileSync(join(folder, `${module}.ts`), source);
  return startThread<string, string>({
    folder,
    module,
    data: { name: 'part' },
    onNote: (note) => notes.push(note),
  });
};

test('a part starts with its data, sends notes, and stops when asked to', async () => {
  const notes: string[] = [];
  const part = await start(
    "tell('before'); return { started: data.name, stop: async () => tell('after') };",
    notes,
  );
  expect(part.started).toBe('part');
  await part.stop();
  expect(notes).toEqual(['before', 'after']);
});

test('an error at the start of a part is thrown', async () => {
  await expect(start("throw new Error('no way');")).rejects.toThrow('no way');
  await expect(start('process.exit(0);')).rejects.toThrow('ended before it had started');
});

test('a part that fails later gives the reason', async () => {
  // Late enough that its start is known by then: start and failure come as different events, in no fixed order.
  const part = await start(
    "setTimeout(() => { throw new Error('broken'); }, 200); return { started: '', stop: async () => undefined };",
  );
  expect(await part.died).toContain('Error: broken');
  await part.stop();
});
