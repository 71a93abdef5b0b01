import type { Application } from "./application.js";

/** The application of a report, or its id, by which it is read. */
export type Reporter = Application | string;

export interface ReportOptions {
  /** How long to wait until the results of detection are stored; default not at all. */
  readonly waitMs?: number;
  /** Called when the report is stored, before that wait. */
  readonly onStored?: () => void;
}
