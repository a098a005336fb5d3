import { usableEngine } from '../dynamodb/usable-engine.ts';

const kept = { ...process.env };
const platform = Object.getOwnPropertyDescriptor(process, 'platform');
afterEach(() => {
  process.env = { ...kept };
  if (platform) Object.defineProperty(process, 'platform', platform);
});

/** A machine for which no engine comes with the packages. */
const elsewhere = (path: string) => {
  process.env.PATH = path;
  Object.defineProperty(process, 'platform', { value: 'sunos' });
};

test('is dynoxide where there is one, without a word', () => {
  const said: string[] = [];
  expect(usableEngine((line) => said.push(line))).toBe('dynoxide');
  expect(said).toEqual([]);
});

test('is left at dynoxide, which says what to install, where there is nothing', () => {
  elsewhere('/nowhere');
  const said: string[] = [];
  expect(usableEngine((line) => said.push(line))).toBe('dynoxide');
  expect(said).toEqual([]);
});
