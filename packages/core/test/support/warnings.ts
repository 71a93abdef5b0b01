import { setImmediate as turn } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** Collect the process warnings of this package from now on; the promise gives their codes so far. */
export function collectWarnings(): () => Promise<string[]> {
  const warnings: Error[] = [];
  const listener = (warning: Error): void => {
    if (warning.name === "RiskGateWarning") warnings.push(warning);
  };
  process.on("warning", listener);
  onTestFinished(() => void process.off("warning", listener));
  return async () => {
    await turn();
    return warnings.map((warning) => (warning as NodeJS.ErrnoException).code ?? "");
  };
}
