const { writeFileSync } = require("node:fs");
const { relative } = require("node:path");

/** Lines of each failure's message that the end of a run repeats. */
const shownLines = 8;
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** Ends a run with its plain total, and writes it and what failed to TOTALS_FILE for the script that adds the suites up. */
module.exports = class TotalReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const totals = { passed, failed, skipped, failures: results.testResults.flatMap(failuresOf) };
    if (process.env.TOTALS_FILE) writeFileSync(process.env.TOTALS_FILE, JSON.stringify(totals));
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
};

/** What failed in one file, each as its file, its title and the start of its message. */
function failuresOf({ testFilePath, testResults, testExecError }) {
  const file = relative(process.cwd(), testFilePath);
  if (testExecError !== undefined) return [`${file}\n${startOf(String(testExecError.message))}`];
  return testResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${startOf(failureMessages.join("\n"))}`);
}

function startOf(message) {
  const lines = message.replace(colours, "").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .slice(0, shownLines)
    .map((line) => `  ${line}`)
    .join("\n");
}
