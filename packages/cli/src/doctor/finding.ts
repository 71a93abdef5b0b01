export interface Finding {
  /** The check, as a statement that should hold. */
  readonly check: string;
  readonly state: "ok" | "warning" | "fault" | "skipped";
  readonly found: string;
  /** Next step, for a warning or fault only. */
  readonly remedy?: string;
}

export interface Verdicts {
  ok(found: string): Finding;
  warning(found: string, remedy: string): Finding;
  fault(found: string, remedy: string): Finding;
  skipped(found: string): Finding;
}

export function about(check: string): Verdicts {
  return {
    ok: (found) => ({ check, state: "ok", found }),
    warning: (found, remedy) => ({ check, state: "warning", found, remedy }),
    fault: (found, remedy) => ({ check, state: "fault", found, remedy }),
    skipped: (found) => ({ check, state: "skipped", found }),
  };
}
