import type { AttackReading } from "../model/attack.js";
import type { DeviceStanding } from "../model/devices.js";
import type { VelocityReading } from "../model/velocity-reading.js";
import type { Fact } from "../model/decision.js";

import type { Judged } from "../model/judged.js";
import type { GatedRequest, RequestHead } from "./gated-request.js";

/** One request as it passes through a gate's steps. */
export interface GateContext extends Judged {
  readonly ip: Fact;
  /** Method and path pattern, such as `POST /signup`; undefined if the route is unknown. */
  readonly route: string | undefined;
  /** The email, if the body has no other one. */
  readonly onlyEmail: string | undefined;
  /** True while each of several emails is weighed; the chosen one is weighed again. */
  readonly isChoosing: boolean;
  /** Request head; undefined if the application calls the gate directly. */
  readonly request: RequestHead | undefined;
  /** The adapter's view of the request; undefined if the application calls the gate directly. */
  readonly gated: GatedRequest | undefined;
  /** True if a page of another origin may have made the browser send the request. */
  readonly crossSite: boolean;
  /** The same object for all gates of a request; steps use it as a key to share results. */
  readonly scope: object | undefined;
  readonly leftMs: number;
  /** Sets a named fact; for `identify`. */
  setFact(name: string, value: string): void;
  /** Adds the standing of the client's browser to the evidence; for `identify`. */
  setDevice(standing: DeviceStanding): void;
  /** Adds points to the score, with the signals that justify them; for `weigh`. */
  addVelocity(reading: VelocityReading): void;
  /** Adds to the evidence that the route is under attack; for `weigh`. */
  setAttack(reading: AttackReading): void;
  /** Adds a header to the response, regardless of the decision; no effect without a request. */
  addHeader(name: string, value: string): void;
}
