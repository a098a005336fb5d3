import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorText } from '../ops/base/error-text.ts';
import { findMinistack, howToInstall, startMinistack } from './emulated/ministack.ts';
import { deployEmulated } from './emulated/run.ts';

/*
 * Deploys the dev stack by `cdk bootstrap` and `cdk deploy` onto ministack, a third-party AWS emulator, and runs the
 * admin commands and the smoke test. Then it restores the table, lets the stack adopt the copy and repeats the smoke
 * test. Only the gaps in bin/emulated/gaps.ts may fail. VERBOSE=1 shows the emulator's output.
 */

const main = async (): Promise<void> => {
  const command = findMinistack();
  if (!command) throw new Error(`ministack is not installed: ${howToInstall}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'emulated-'));
  const emulator = await startMinistack(command, process.env.VERBOSE ? 'inherit' : 'ignore');
  try {
    await deployEmulated(emulator.endpoint, folder, (line) => console.log(line));
    console.log('Everything else works.');
  } finally {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});
