import { inColumns } from '../../base/columns.ts';
import type { CheckResult } from '../../smoke/run.ts';
import { command, wholeNumber } from '../command.ts';

export const smokeCommands = [
  command('smoke', {
    summary:
      'Check a deployment at its public addresses, with a project that it creates and deletes; with --stack it also triggers up to two alarms',
    options: {
      pause: wholeNumber(
        'SECONDS',
        'how long to pause before short URLs are visited again (default: 60 with --stack)',
      ),
      patience: wholeNumber(
        'SECONDS',
        'how long to wait for a fresh plan key, analytics, alarms and metrics (default: 180 each)',
      ),
    },
    run: async ({ pause, patience }, { deployment, place, isJson, print, fail }) => {
      const { smoke } = await import('../../smoke/smoke.ts');
      const outcomes = await smoke(await deployment(), place, { pause, patience });
      print(isJson ? JSON.stringify(outcomes) : table(outcomes));
      if (outcomes.some(({ result }) => result === 'failed')) fail();
      return undefined;
    },
  }),
];

const table = (outcomes: readonly CheckResult[]): string => {
  const lines = outcomes.map(({ name, result, milliseconds, detail }) => [
    result.padEnd(7),
    name,
    `${milliseconds} ms`.padStart(9),
    detail,
  ]);
  const count = (wanted: CheckResult['result']) => outcomes.filter(({ result }) => result === wanted).length;
  return [
    inColumns(lines),
    '',
    `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`,
  ].join('\n');
};
