import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { refuseOlderFolder } from '../../dev/older-folder.ts';
import { newFolder } from '../support/folder.ts';

test.each([
  [
    'of 1.2',
    ['dynamodb.sqlite'],
    /^The data folder \S+ is of version 1\.2 or older: start 1\.3 on it once, [^\n]+$/,
  ],
  ['that 1.3 converted', ['dynamodb.sqlite.1.2', 'tables.sqlite'], undefined],
  ['without files', [], undefined],
])('a folder %s is refused in one line if it is older', (_, files, line) => {
  const data = newFolder();
  mkdirSync(path.join(data, 'dynamodb'));
  for (const name of files) writeFileSync(path.join(data, 'dynamodb', name), '');
  const refuse = () => refuseOlderFolder(data);
  if (line) expect(refuse).toThrow(line);
  else expect(refuse).not.toThrow();
});
