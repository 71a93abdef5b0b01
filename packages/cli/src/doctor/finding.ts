/** What one check came to. */
export interface Finding {
  /** What was checked. */
  readonly check: string;
  readonly state: "ok" | "warning" | "fault" | "skipped";
  /** What was seen. */
  readonly found: string;
  /** How to mend it; only of a warning or fault. */
  readonly remedy?: string;
}

/** Make findings of one check. */
export interface Verdicts {
  ok(found: string): Finding;
  warning(found: string, remedy: string): Finding;
  fault(found: string, remedy: string): Finding;
  skipped(found: string): Finding;
}

/** Name the check that findings are about. */
export function about(check: string): Verdicts {
  return {
    ok: (found) => ({ check, state: "ok", found }),
    warning: (found, remedy) => ({ check, state: "warning", found, remedy }),
    fault: (found, remedy) => ({ check, state: "fault", found, remedy }),
    skipped: (found) => ({ check, state: "skipped", found }),
  };
}
