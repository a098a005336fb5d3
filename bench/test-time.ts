import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app } from '../ops/start/app.ts';
import { atMost, type Section } from './report.ts';

const shown = 12;

interface Results {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** How long `npm test` takes, and its slowest suites, which run side by side. */
export const testTime = async (): Promise<Section> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-time-'));
  const file = path.join(folder, 'results.json');
  const begun = performance.now();
  const jest = path.join(app, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, '--json', `--outputFile=${file}`], {
    cwd: app,
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const seconds = (performance.now() - begun) / 1000;
  const { success, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  rmSync(folder, { recursive: true, force: true });
  if (!success) throw new Error('Tests fail; npm test says which');
  const suites = testResults
    .map(({ name, startTime, endTime }) => ({
      name: path.relative(path.join(app, 'test'), name),
      value: (endTime - startTime) / 1000,
      unit: 's',
    }))
    .sort((a, b) => b.value - a.value);
  return {
    title: `npm test, and the slowest of its ${suites.length} suites`,
    figures: [atMost('npm test', seconds, 's', 170), ...suites.slice(0, shown)],
  };
};
