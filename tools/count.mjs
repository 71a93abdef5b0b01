// Prints the tests that failed and why, then `N passed, N failed, N skipped`; the exit code tells
// whether anything failed. Of a long log often only the end is kept: the reasons have to be there.
import { existsSync } from "node:fs";
import { readJson } from "./workspace.mjs";

const [report = "", testStatus, failedSteps] = process.argv.slice(2);

/** Lines of a reason that are shown: enough for the seed and the counterexample of a property. */
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
const suite = existsSync(report)
  ? /** @type {Suite} */ (readJson(report))
  : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] };

for (const { name, status, message, assertionResults } of suite.testResults) {
  const tests = assertionResults.filter((test) => test.status === "failed");
  for (const test of tests) tell(`${name}: ${test.fullName}`, test.failureMessages.join("\n"));
  // A file that does not load has no tests to tell of.
  if (status === "failed" && tests.length === 0) tell(name, message);
}

let failed = suite.numFailedTests;
// A file that does not load and an error outside of a test fail the suite without failing a test.
if (failed === 0 && testStatus !== "0") failed = 1;
failed += Number(failedSteps);

const skipped = suite.numPendingTests + suite.numTodoTests;
console.log(`${suite.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} what @param {string} reason */
function tell(what, reason) {
  const lines = reason.split("\n").slice(0, MAX_LINES);
  console.log(`\nFAILED ${what}\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}
