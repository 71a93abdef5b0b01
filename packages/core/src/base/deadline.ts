import { startTimer } from "./platform.js";

/**
 * Call `onExpire` once `ms` milliseconds are over. A deadline alone does not keep the process running.
 *
 * @returns Stops the deadline; stopping it twice, or too late, does nothing.
 */
export function startDeadline(ms: number, onExpire: () => void): () => void {
  return startTimer(ms, onExpire);
}
