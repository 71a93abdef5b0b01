import { quick } from "./settings.mjs";

/** Duration of one measurement. */
const MEASURE_MS = quick ? 20 : 150;

/** Time between two reads of the clock. */
const STRETCH_MS = 2;

/** Units of a call's time, per millisecond. */
const PARTS = { ms: 1, us: 1e3, ns: 1e6 };

/**
 * Measures the wall time and CPU time of one call, garbage collection included.
 *
 * @param {(call: number) => unknown} work Receives the number of the call.
 * @param {{ unit?: "ms" | "us" | "ns", ms?: number }} [options]
 */
export function timed(work, { unit = "us", ms = MEASURE_MS } = {}) {
  // oxlint-disable-next-line typescript/no-implied-eval -- Fixed text; the reason is at LOOP.
  const run = /** @type {Loop} */ (new Function("work", "from", "count", LOOP));
  return stretches(unit, ms, (from, count) => run(work, from, count));
}

/**
 * Measures a function that returns a promise. The calls run one after the other.
 *
 * @param {(call: number) => Promise<unknown>} work
 * @param {{ unit?: "ms" | "us" | "ns", ms?: number }} [options]
 */
export function timedAsync(work, { unit = "us", ms = MEASURE_MS } = {}) {
  return stretches(unit, ms, async (from, count) => {
    // As in LOOP: results that live longer cost the collector more.
    let kept;
    for (let call = from; call < from + count; call++) {
      const result = await work(call);
      if (result !== undefined) kept = result;
    }
    return kept;
  });
}

/** @typedef {(work: (call: number) => unknown, from: number, count: number) => unknown} Loop */

// Compiled for each function, because in a shared loop each would pay for the types of the others.
// The results are combined, so that no call can be optimized away.
const LOOP = `
  let kept;
  for (let call = from; call < from + count; call++) {
    const result = work(call);
    if (result !== undefined) kept = result;
  }
  return kept;
`;

/**
 * @param {"ms" | "us" | "ns"} unit
 * @param {number} ms
 * @param {(from: number, count: number) => unknown} run
 */
function stretches(unit, ms, run) {
  let count = 1;
  let next = 0;
  return async () => {
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now - start < ms) {
      await run(next, count);
      next += count;
      calls += count;
      const end = performance.now();
      if (end - now < STRETCH_MS / 2) count *= 2;
      now = end;
    }
    const cpu = process.cpuUsage(cpuBefore);
    const cpuMs = (cpu.user + cpu.system) / 1e3;
    const part = PARTS[unit] / calls;
    const cpuName = `cpu${unit[0]?.toUpperCase()}${unit.slice(1)}`;
    return { [unit]: (now - start) * part, [cpuName]: cpuMs * part };
  };
}
