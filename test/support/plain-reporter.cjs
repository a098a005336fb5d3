/** Ends the run with one line that a machine can read. */
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // Jest's own summary comes after every reporter.
    process.once('exit', () => {
      process.stdout.write(`tests: ${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
};
