const { createRequire } = require('node:module');
const ofJest = createRequire(require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }));
const { ModernFakeTimers } = ofJest('@jest/fake-timers');
const { ModuleMocker } = ofJest('jest-mock');

// Metrics that functions in this process print would hide jest's own lines. Their errors are shown.
const { stdout } = process;
const print = stdout.write.bind(stdout);
stdout.write = (chunk, ...rest) => /^\{"timestamp".*"_aws":/.test(chunk) || print(chunk, ...rest);

/**
 * Runs test files in the worker's own realm, one after the other, so that they can share packages: a package's error is
 * an `Error` for tests. After each file, globals and environment variables are restored and its timers are cleared.
 */
module.exports = class WorkerEnvironment {
  #restore;
  #endTimers;

  constructor({ projectConfig: config }) {
    const global = globalThis;
    this.#restore = keep(global);
    this.#endTimers = rememberTimers(global);
    process.env = { ...process.env };
    this.global = global;
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#endTimers();
    this.#restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};

/** Returns a function that restores the present globals and environment variables. */
const keep = (global) => {
  const before = Object.getOwnPropertyDescriptors(global);
  const { env, exit } = process;
  return () => {
    for (const key of Reflect.ownKeys(global).filter((one) => !isOfPackage(one))) {
      const now = Object.getOwnPropertyDescriptor(global, key);
      if (!now.configurable || isSame(before[key], now)) continue;
      if (before[key]) Object.defineProperty(global, key, before[key]);
      else delete global[key];
    }
    // Jest replaces `exit` in each file.
    Object.assign(process, { env, exit });
  };
};

/** Returns a function that clears the timers started since. */
const rememberTimers = (global) => {
  const { setTimeout } = global;
  const begun = new Set();
  const remembered = (...given) => {
    const timer = setTimeout(...given);
    begun.add(timer);
    return timer;
  };
  global.setTimeout = Object.defineProperties(remembered, Object.getOwnPropertyDescriptors(setTimeout));
  return () => begun.forEach(clearTimeout);
};

/** Whether a global belongs to a package, which outlives a file: the CDK keeps tokens in `__cdkTokenMap`. */
const isOfPackage = (key) => typeof key === 'string' && key.startsWith('__');

const isSame = (one, other) => one?.value === other.value && one?.get === other.get;
