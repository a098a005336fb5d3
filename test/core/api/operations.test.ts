import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { drawn } from '../../support/api-arbitraries.ts';

const folder = path.join(import.meta.dirname, '../../e2e');
// The fuzz and the generated client call everything; that doesn't test one operation's behaviour.
const tests = readdirSync(folder)
  .filter((file) => !/fuzz|model|description/.test(file))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n');

test.each(Object.entries<Contract>(api))('%s has a test in test/e2e', (_, contract) => {
  // As tests write a path: with a code or an id in the place of its parameter.
  const written = contract.path.replaceAll(/\{\w+\}/g, "[^/?'`]+");
  expect(tests).toMatch(new RegExp(`'${contract.method}',\\s*['\`]${written}['\`?]`));
});

// Calls with publishable keys have a property of their own, with faults of the table.
const writes = Object.entries<Contract>(api).filter(
  ([, { method, publishable }]) => method !== 'GET' && !publishable,
);

// Reads need none: the model checks them by their contracts.
test.each(writes)('%s has a command of the model of the API', (operation) => {
  expect(drawn).toHaveProperty([operation]);
});
