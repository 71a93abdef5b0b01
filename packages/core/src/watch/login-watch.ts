import type { ServerResponse } from "node:http";
import { readOptions } from "../base/options.js";
import type { ReadRequest } from "../decision/request-reader.js";
import { type LoginWatchOptions, readLoginWatch } from "./login-watch-options.js";
import { outcomeWatchWith } from "./outcome-watch.js";

export interface WatchedRequest<
  Args extends readonly [unknown, ...unknown[]],
> extends ReadRequest<Args> {
  readonly response: ServerResponse;
}

export interface LoginWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Reads the account and address, and reports the outcome after the response. The request neither
   * waits for this nor fails because of it.
   *
   * @returns Receives the handler's status, used if the client disconnects before the response.
   */
  begin(watched: WatchedRequest<Args>): (status: number) => void;
}

/**
 * Creates a watch for frameworks that write to Node's response.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createLoginWatch<Args extends readonly [unknown, ...unknown[]]>(
  options: LoginWatchOptions<Args>,
  factory = "loginWatch",
): LoginWatch<Args> {
  const watch = outcomeWatchWith<Args>(readOptions(factory, options, readLoginWatch<Args>));
  return {
    begin(watched) {
      const { response, args } = watched;
      const reported = watch.begin(watched);
      let isGone = false;
      let handled: number | undefined;
      const end = (status: number): void => void reported(status, args);
      const gone = (): void => {
        isGone = true;
        if (response.headersSent) end(response.statusCode);
        else if (handled !== undefined) end(handled);
        // Attackers that do not wait for the response count too.
        else watchEnd(response, () => end(response.statusCode));
      };
      // A client can disconnect before the watch begins.
      if (response.destroyed) gone();
      else response.once("close", gone);
      return (status) => {
        handled = status;
        if (isGone) end(status);
      };
    },
  };
}

/** Calls back when a response without a connection ends, for which Node emits no event. */
function watchEnd(response: ServerResponse, onEnd: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]): ServerResponse => {
    const ended = end(...args);
    onEnd();
    return ended;
  };
}
