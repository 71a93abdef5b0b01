import {
  callSyncHook,
  type LoginWatchOptions,
  type OptionReader,
  outcomeWatchWith,
  readLoginWatch,
} from "@riskgate/core/web";
import { withAddress } from "./client-address.js";
import { WebExchange } from "./web-exchange.js";
import { type ClientInfo, visitOf } from "./web-visit.js";

/** Options for a watch of routes that return a response. */
export interface WebWatchOptions<
  Args extends readonly [unknown, ...unknown[]],
> extends LoginWatchOptions<Args> {
  /** As in the gate's options. */
  readonly clientAddress?: (request: Args[0]) => string | null | undefined;
  /**
   * Receives a promise that settles when the reports are sent, if the platform stops work that is
   * not finished when the response is sent.
   */
  readonly waitUntil?: (sent: Promise<void>, ...args: Args) => unknown;
}

export interface WebWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Reads the account and address of a request.
   *
   * @returns Reports the outcome once, by the response's status and the arguments of `success`;
   * never rejects.
   */
  begin(
    request: Request,
    info: ClientInfo,
    subject: Args[0],
  ): (status: number, args: Args) => Promise<void>;
  /** Sends what was reported; never rejects. */
  flush(): Promise<void>;
}

/** Reads {@link WebWatchOptions}, and creates the watch shared by the Web-standard adapters. */
export function readWebWatch<Args extends readonly [unknown, ...unknown[]]>(
  given: OptionReader,
): WebWatch<Args> {
  type Options = Required<WebWatchOptions<Args>>;
  const settings = readLoginWatch<Args>(given);
  const addressOf = given.function<Options["clientAddress"]>("clientAddress");
  const waitUntil = given.function<Options["waitUntil"]>("waitUntil");
  const { reporter, report } = settings;
  const watch = outcomeWatchWith(settings);

  const flush = async (): Promise<void> => {
    try {
      await reporter?.flush();
    } catch {
      // A reporter of the application may reject, or send at once.
    }
  };
  return {
    begin(request, info, subject) {
      const named = withAddress(info, addressOf && (() => addressOf(subject)), report);
      const end = watch.begin(new WebExchange(visitOf(request), named, [subject]));
      return async (status, args) => {
        const reported = end(status, args);
        if (!waitUntil) return reported;
        const call = () => waitUntil(reported.then(flush), ...args);
        callSyncHook("`waitUntil`", call, { report, otherwise: undefined });
        return reported;
      };
    },
    flush,
  };
}
