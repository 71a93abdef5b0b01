// Vitest's JSON report with the errors it leaves out: those of a `beforeAll` inside a `describe`, and
// those that happen outside of every test.
import { JsonReporter } from "vitest/node";

/** @typedef {import("vitest/node").TestModule} TestModule */
/** @typedef {import("vitest/node").SerializedError} SerializedError */

export default class CountReporter extends JsonReporter {
  /** @type {{ name: string, status: string, message: string, assertionResults: never[] }[]} */
  #failures = [];

  /**
   * @override
   * @param {readonly TestModule[]} modules
   * @param {readonly SerializedError[]} unhandled
   */
  async onTestRunEnd(modules = [], unhandled = []) {
    for (const { moduleId, children } of modules) {
      for (const suite of children.allSuites()) {
        for (const error of suite.errors()) this.#add(`${moduleId}: ${suite.fullName}`, error);
      }
    }
    for (const error of unhandled) this.#add("outside of every test", error);
    // @ts-expect-error: the declared type has no parameters, unlike the method.
    await super.onTestRunEnd(modules, unhandled);
  }

  /** @override @param {string} report */
  writeReport(report) {
    const { testResults, ...counts } = /** @type {{ testResults: unknown[] }} */ (
      JSON.parse(report)
    );
    const all = [...testResults, ...this.#failures];
    return super.writeReport(JSON.stringify({ ...counts, testResults: all }));
  }

  /** @param {string} name @param {SerializedError} error */
  #add(name, { stack, message }) {
    this.#failures.push({
      name,
      status: "failed",
      message: stack ?? message,
      assertionResults: [],
    });
  }
}
