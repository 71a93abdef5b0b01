import { describe, expect, it } from "vitest";
import { judgeReceiver, SECRET, secretFile } from "../../support/conformance-run.js";
import { scratchDirectory } from "../../support/scratch.js";
import { startReceiver } from "../../support/start-receiver.js";

const scratch = scratchDirectory();

const startPython = async (script: string, ...faults: string[]): Promise<string | undefined> =>
  startReceiver("python3", [
    script,
    "--secret-file",
    secretFile(scratch.path),
    "--body-seconds",
    "2",
    ...faults.flatMap((fault) => ["--fault", fault]),
  ]);

/** Faults of the receiver, with the cases that have to name them and no others. */
const FAULTS: Record<string, { readonly must: string[]; readonly should: string[] }> = {
  "written-again": { must: ["RCV-03", "RCV-12"], should: ["RCV-22", "RCV-23"] },
  missing: { must: ["RCV-09"], should: [] },
  prefix: { must: ["RCV-10"], should: [] },
  "unknown-first": { must: ["RCV-13"], should: [] },
  "no-limit": { must: [], should: ["RCV-32", "RCV-33"] },
};

describe("riskgate conformance webhook", () => {
  it("passes a right receiver in Python, also when it is strict", async ({ skip }) => {
    const url = (await startPython("right.py")) ?? skip("python3 is not installed");
    const { status, report } = await judgeReceiver(url, "--strict");
    expect(report.cases.filter(({ state }) => state !== "passed")).toEqual([]);
    expect(report.passed).toBe(33);
    expect(status).toBe(0);
  });

  it("passes a right receiver in PHP, whose server waits for a slow body", async ({ skip }) => {
    const url =
      (await startReceiver("php", ["-S", "127.0.0.1:0", "right.php"], {
        RECEIVER_SECRET: SECRET,
      })) ?? skip("php is not installed");
    const { status, failed, warned } = await judgeReceiver(url, "--slow-ms", "2000");
    expect({ status, failed, warned }).toEqual({ status: 0, failed: [], warned: ["RCV-33"] });
  });

  it.for(Object.entries(FAULTS))(
    "names the fault %s of a receiver in Python by its cases alone",
    async ([fault, { must, should }], { skip }) => {
      const url = (await startPython("faulty.py", fault)) ?? skip("python3 is not installed");
      const { status, failed, warned } = await judgeReceiver(url, "--slow-ms", "8000");
      expect({ failed, warned }).toEqual({ failed: must, warned: should });
      expect(status).toBe(must.length > 0 ? 1 : 0);
    },
  );

  it("names all faults of one receiver at once", async ({ skip }) => {
    const url =
      (await startPython("faulty.py", ...Object.keys(FAULTS))) ?? skip("python3 is not installed");
    const { status, failed, warned } = await judgeReceiver(url, "--slow-ms", "8000", "--strict");
    const all = Object.values(FAULTS).flatMap(({ must, should }) => [...must, ...should]);
    expect(failed).toEqual(all.toSorted());
    expect({ status, warned }).toEqual({ status: 1, warned: [] });
  });
});
