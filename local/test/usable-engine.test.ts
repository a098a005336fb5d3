import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../dynamodb/engine.ts';
import { usableEngine } from '../dynamodb/usable-engine.ts';

const kept = { ...process.env };
const platform = Object.getOwnPropertyDescriptor(process, 'platform');
afterEach(() => {
  process.env = { ...kept };
  if (platform) Object.defineProperty(process, 'platform', platform);
});

/** Simulates a machine without a package of the engine. */
const elsewhere = (path: string, system = 'sunos') => {
  process.env.PATH = path;
  Object.defineProperty(process, 'platform', { value: system });
};

/** A folder with a `java` of this version. */
const javaOf = (version: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'java-'));
  writeFileSync(join(folder, 'java'), `#!/bin/sh\necho 'openjdk version "${version}" 2026-01-20' >&2\n`);
  chmodSync(join(folder, 'java'), 0o755);
  return folder;
};

test('is dynoxide if it is installed, without a message', () => {
  const said: string[] = [];
  expect(usableEngine((line) => said.push(line))).toBe('dynoxide');
  expect(said).toEqual([]);
});

test('is dynoxide if nothing is installed; its start then names what to install', () => {
  elsewhere('/nowhere');
  const said: string[] = [];
  expect(usableEngine((line) => said.push(line))).toBe('dynoxide');
  expect(said).toEqual([]);
});

test('is DynamoDB Local if dynoxide is missing and Java is installed, with a message', () => {
  const java = javaOf('21.0.5');
  elsewhere(java);
  const said: string[] = [];
  expect(usableEngine((line) => said.push(line))).toBe('dynamodb-local');
  expect(said).toEqual([`There is no dynoxide for sunos-${process.arch} here; taking DynamoDB Local`]);
  rmSync(java, { recursive: true });
});

test('an old Java is not enough', () => {
  const java = javaOf('11.0.2');
  elsewhere(java);
  expect(usableEngine(() => undefined)).toBe('dynoxide');
  rmSync(java, { recursive: true });
});

test.each([
  ['win32', ['npm install --no-save @dynoxide/win32-x64@1.2.1', 'winget install Microsoft.OpenJDK.17']],
  ['darwin', ['npm install --no-save @dynoxide/darwin-x64@1.2.1', 'brew install openjdk@17']],
  ['sunos', ['sudo apt-get install openjdk-17-jre-headless']],
])('on %s without an engine, the error names the commands', async (system, commands) => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch');
  Object.defineProperty(process, 'arch', { value: 'x64' });
  elsewhere('/nowhere', system);
  const message = await startEngine({ engine: 'dynoxide' }).catch((error: Error) => error.message);
  if (arch) Object.defineProperty(process, 'arch', arch);
  expect(String(message).match(/'[^']+'/g)).toEqual(commands.map((command) => `'${command}'`));
});
