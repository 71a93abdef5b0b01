import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const core = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

/** Run a program with a reporter to its end; what it prints. */
async function run(code: string): Promise<string> {
  const program = `
    import { createReporter } from ${JSON.stringify(core)};
    const onDrop = ({ reports, error }) => console.log(reports, error.code);
    const reporter = createReporter({
      baseUrl: "http://127.0.0.1:1", reportKey: "key", intervalMs: 600000, flushTimeoutMs: 50, onDrop,
    });
    reporter.login({ account: "ann@example.com", address: "203.0.113.7", success: false });
    ${code}`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 });
  return stdout;
}

it("a reporter with reports that wait does not keep the process", async () => {
  expect(await run("")).toBe("");
});

it("a reporter that is closed keeps the process until it has told what was lost", async () => {
  // The service is down, so its one report is tried again until the time is over.
  expect(await run("await reporter.close();")).toBe("1 ABORTED\n");
});
