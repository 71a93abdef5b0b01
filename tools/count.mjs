// Prints failed tests with their reasons, then `N passed, N failed, N skipped`. The exit code is 1 if
// anything failed. The reasons come last, because often only the end of a long log is stored.
import { existsSync } from "node:fs";
import { readJson } from "./workspace.mjs";

// node tools/count.mjs FAILED_STEPS [REPORT EXIT_CODE]...
const [failedSteps, ...runs] = process.argv.slice(2);

/** Lines shown of a reason: enough for the seed and the counterexample of a property. */
const MAX_LINES = 12;

/**
 * @typedef {object} Test
 * @property {string} fullName
 * @property {string} status
 * @property {string[]} failureMessages
 *
 * @typedef {object} File
 * @property {string} name
 * @property {string} status
 * @property {string} message
 * @property {Test[]} assertionResults
 *
 * @typedef {object} Suite
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {File[]} testResults
 */
const count = { passed: 0, failed: Number(failedSteps), skipped: 0 };
while (runs.length > 0) {
  const [report = "", exitCode] = runs.splice(0, 2);
  const suite = existsSync(report) ? /** @type {Suite} */ (readJson(report)) : undefined;
  const failed = suite?.numFailedTests ?? 0;
  count.passed += suite?.numPassedTests ?? 0;
  count.skipped += (suite?.numPendingTests ?? 0) + (suite?.numTodoTests ?? 0);
  // A file that does not load, an error outside a test and a run without a report fail the run
  // without failing a test.
  count.failed += failed === 0 && (exitCode !== "0" || !suite) ? 1 : failed;

  for (const { name, status, message, assertionResults } of suite?.testResults ?? []) {
    const tests = assertionResults.filter((test) => test.status === "failed");
    for (const test of tests) tell(`${name}: ${test.fullName}`, test.failureMessages.join("\n"));
    // A file that does not load has no tests to list.
    if (status === "failed" && message !== "") tell(name, message);
  }
}

console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed === 0 ? 0 : 1;

/** @param {string} what @param {string} reason */
function tell(what, reason) {
  const lines = reason.split("\n").slice(0, MAX_LINES);
  console.log(`\nFAILED ${what}\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}
