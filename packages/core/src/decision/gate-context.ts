import type { VelocityReading } from "../model/velocity-reading.js";
import type { Fact } from "../model/decision.js";

import type { Judged } from "../model/judged.js";
import type { GatedRequest, RequestHead } from "./gated-request.js";

/** One request on its way through the steps of a gate. */
export interface GateContext extends Judged {
  readonly ip: Fact;
  /** Method and path pattern, such as `POST /signup`; undefined if the route is not named. */
  readonly route: string | undefined;
  /** Head of the request; undefined if the application calls the gate itself. */
  readonly request: RequestHead | undefined;
  /** The request as its adapter supplies it; undefined if the application calls the gate itself. */
  readonly gated: GatedRequest | undefined;
  /** The same object for all gates of a request: a step shares by it what it has found. */
  readonly scope: object | undefined;
  /** Milliseconds left of `budgetMs`, at least 1. */
  readonly leftMs: number;
  /** Sets a fact under its name; for `identify`. */
  setFact(name: string, value: string): void;
  /** Adds points to the score, with the signals behind them; for `weigh`. */
  addVelocity(reading: VelocityReading): void;
  /** Adds a header to the response, whatever the decision; nothing without a request. */
  addHeader(name: string, value: string): void;
}
