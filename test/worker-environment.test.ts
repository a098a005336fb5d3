import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import * as z from 'zod';

const Environment = require('./support/worker-environment.cjs');

const symbol = Symbol.for('left over');
const globals = globalThis as Record<string | symbol, unknown>;

test('a file leaves no global and no environment variable to the next one', async () => {
  const { env, exit } = process;
  const { structuredClone: clone } = globals;
  const environment = new Environment({ projectConfig: {} });
  globals.leftOver = 'a global';
  globals[symbol] = 'another';
  globals.structuredClone = () => 'another function';
  process.env.LEFT_OVER = 'a variable';
  delete process.env.PATH;
  process.exit = () => process.abort();
  await environment.teardown();
  expect([globals.leftOver, globals[symbol]]).toEqual([undefined, undefined]);
  expect([globals.structuredClone, process.env, process.exit]).toEqual([clone, env, exit]);
  expect([env.LEFT_OVER, env.PATH]).toEqual([undefined, expect.any(String)]);
});

test('a package keeps its global for the next file', async () => {
  const environment = new Environment({ projectConfig: {} });
  globals.__ofPackage = 'kept';
  await environment.teardown();
  expect(globals.__ofPackage).toBe('kept');
  delete globals.__ofPackage;
});

test('packages are the ones that Node has loaded for the whole worker', () => {
  const load = createRequire(import.meta.filename);
  expect([z.object, fc.assert]).toEqual([load('zod').object, load('fast-check').assert]);
});

test("errors and bytes of packages are instances of the tests' own classes", () => {
  const [bytes] = fc.sample(fc.uint8Array(), 1);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error);
});
