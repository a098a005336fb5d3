import { runProgram } from '../support/program.ts';

test.each([
  ['plan', "Missing required argument 'file'; see 'dynamic-links --help'"],
  ['pln links.yaml', "Unknown command 'pln'. Did you mean 'plan'?"],
  ['plan links.yaml --jsn', "Unknown option '--jsn'. Did you mean '--json'?"],
  [
    'apply links.yaml --orphans never',
    "Option '--orphans <what>' argument 'never' is invalid. Allowed choices are keep, pause; see 'dynamic-links --help'",
  ],
])('dynamic-links %s fails with one line', async (call, line) => {
  expect(await runProgram(call.split(' '), {})).toEqual({ status: 1, out: '', err: `${line}\n` });
});
