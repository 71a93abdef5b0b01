// Prints `N passed, N failed, N skipped`; the exit code tells whether anything failed.
import { existsSync } from "node:fs";
import { readJson } from "./workspace.mjs";

const [report = "", testStatus, failedSteps] = process.argv.slice(2);

/**
 * @typedef {object} Suite
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 */
const suite = existsSync(report)
  ? /** @type {Suite} */ (readJson(report))
  : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
let failed = suite.numFailedTests;
// A file that does not load and an error outside of a test fail the suite without failing a test.
if (failed === 0 && testStatus !== "0") failed = 1;
failed += Number(failedSteps);

const skipped = suite.numPendingTests + suite.numTodoTests;
console.log(`${suite.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
