const { createRequire, isBuiltin } = require('node:module');
const vm = require('node:vm');
const jest = createRequire(require.resolve('jest'));
const { default: Runtime } = createRequire(jest.resolve('@jest/core'))('jest-runtime');

/** Compiled modules of this worker, by file path. */
const compiled = new Map();

const compile = (source, filename, parameters) => {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = vm.compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
};

const isPackage = (name) => /^[^./]/.test(name) && !isBuiltin(name);

/**
 * Jest's own runtime evaluates every module again for each test file. Here it does so only for the repository's
 * modules, compiled once per worker; Node loads packages once per worker. So a test that changes a package undoes it in
 * `afterAll`. This depends on jest's internals, so jest is pinned to the patch. Jest's `isolateModules` and shared
 * contexts of `vm` don't do it: `instanceof Error` is false for packages' errors.
 */
class WorkerRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
}

module.exports = { __esModule: true, default: WorkerRuntime };
