import { receiverContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { judgeReceiver, SECRET, secretFile } from "../../support/conformance-run.js";
import { scratchDirectory } from "../../support/scratch.js";
import { startReceiver } from "../../support/start-receiver.js";

const scratch = scratchDirectory();

/** The case of a body that never ends, and all others. */
const SLOW = "RCV-33";
const OTHERS = receiverContract.map(({ id }) => id).filter((id) => id !== SLOW);

/**
 * Judge a receiver in Python by all cases. Only where the slow body is sent has it little time for one.
 *
 * @returns Undefined where Python is not installed.
 */
async function judgePython(script: string, faults: readonly string[], ...args: string[]) {
  const start = async (seconds: number): Promise<string | undefined> => {
    const secret = ["--secret-file", secretFile(scratch.path)];
    const flaws = faults.flatMap((fault) => ["--fault", fault]);
    const options = [...secret, "--body-seconds", String(seconds), ...flaws];
    return startReceiver("python3", [script, ...options]);
  };
  const [patient, hasty] = await Promise.all([start(60), start(2)]);
  if (patient === undefined || hasty === undefined) return undefined;
  const most = await judgeReceiver(patient, "--only", OTHERS.join(","), ...args);
  const slow = await judgeReceiver(hasty, "--only", SLOW, "--slow-ms", "15000", ...args);
  return {
    status: Math.max(most.status ?? 1, slow.status ?? 1),
    failed: [...most.failed, ...slow.failed],
    warned: [...most.warned, ...slow.warned],
    // The first case is in both.
    passed: most.report.passed + slow.report.passed - 1,
  };
}

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
    const judged =
      (await judgePython("right.py", [], "--strict")) ?? skip("python3 is not installed");
    expect(judged).toEqual({ status: 0, failed: [], warned: [], passed: 36 });
  });

  // It knows nothing of Standard Webhooks, as receivers from before them.
  it("passes a right receiver in PHP, whose server waits for a slow body", async ({ skip }) => {
    const url =
      (await startReceiver("php", ["-S", "127.0.0.1:0", "right.php"], {
        RECEIVER_SECRET: SECRET,
      })) ?? skip("php is not installed");
    const { status, failed, warned } = await judgeReceiver(url, "--slow-ms", "2000");
    const missing = ["RCV-33", "RCV-35", "RCV-36"];
    expect({ status, failed, warned }).toEqual({ status: 0, failed: [], warned: missing });
  });

  it.for(Object.entries(FAULTS))(
    "names the fault %s of a receiver in Python by its cases alone",
    async ([fault, { must, should }], { skip }) => {
      const { status, failed, warned } =
        (await judgePython("faulty.py", [fault])) ?? skip("python3 is not installed");
      expect({ failed, warned }).toEqual({ failed: must, warned: should });
      expect(status).toBe(must.length > 0 ? 1 : 0);
    },
  );

  it("names all faults of one receiver at once", async ({ skip }) => {
    const { status, failed, warned } =
      (await judgePython("faulty.py", Object.keys(FAULTS), "--strict")) ??
      skip("python3 is not installed");
    const all = Object.values(FAULTS).flatMap(({ must, should }) => [...must, ...should]);
    expect(failed).toEqual(all.toSorted());
    expect({ status, warned }).toEqual({ status: 1, warned: [] });
  });
});
