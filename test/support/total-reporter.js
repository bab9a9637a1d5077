const { writeFileSync } = require("node:fs");

/** Ends a run with its plain total, and writes it to TOTALS_FILE for the script that adds the suites up. */
module.exports = class TotalReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    if (process.env.TOTALS_FILE) writeFileSync(process.env.TOTALS_FILE, JSON.stringify({ passed, failed, skipped }));
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
};
