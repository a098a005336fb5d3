/** Prints one machine-readable line after everything else. */
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stdout.write(`tests: ${results.numPassedTests} passed, ${failed} failed\n`);
  }
};
