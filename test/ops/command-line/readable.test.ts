import { readable } from '../../../ops/command-line/readable.ts';

test('a field without a value is left out, as in JSON', () => {
  expect(readable({ host: 'a.example', root: undefined })).not.toContain('root');
  const [names] = readable([
    { host: 'a.example', root: undefined, project: 'a' },
    { host: 'b.example', root: undefined, notFound: 'https://b.example/', project: 'b' },
  ]).split('\n');
  expect(names?.trim().split(/ +/)).toEqual(['host', 'project', 'notFound']);
});
