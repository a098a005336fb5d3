// Shifts the clock of a program and its threads: `--import …/shifted-clock.mjs?MILLISECONDS` from now.
import { syncBuiltinESMExports } from 'node:module';
import workers from 'node:worker_threads';

const shift = Number(new URL(import.meta.url).search.slice(1));
const { now } = Date;
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(now() + shift);
  }

  static now() {
    return now() + shift;
  }
};

workers.Worker = class extends workers.Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: ['--import', import.meta.url] });
  }
};
syncBuiltinESMExports();
