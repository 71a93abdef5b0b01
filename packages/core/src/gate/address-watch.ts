import type { IncomingMessage } from "node:http";
import type { GatedRequest } from "./gated-request.js";
import { isPublicIp } from "../address/special-purpose.js";
import { warn } from "../base/warning.js";

/** So many requests from one private address in a row are no coincidence. */
const REQUESTS_IN_A_ROW = 1000;

/** Looks out for set-ups in which a gate judges the wrong thing, and says so once. */
export interface AddressWatch {
  /** Check how the framework finds the client's address; only the first call does anything. */
  trust(gated: Pick<GatedRequest, "unsafeTrust">): void;
  /** Check that a body which is there has been parsed. */
  body(request: IncomingMessage, body: unknown): void;
  /** Notice when every client turns out to be one private address. */
  address(ip: string): void;
}

/** Make the watch of one gate. */
export function createAddressWatch(): AddressWatch {
  let trustChecked = false;
  let first: string | undefined;
  let requests = 0;
  let single = true;

  return {
    trust(gated) {
      if (trustChecked) return;
      trustChecked = true;
      const problem = gated.unsafeTrust();
      if (!problem) return;
      warn(
        "RISKGATE_UNSAFE_TRUST",
        `${problem}, so that a client can choose the address it is judged by. ` +
          "Set `trustedProxies` of riskGate to the addresses of your proxies",
      );
    },
    body(request, body) {
      // Node makes the headers when they are first read: not for a body that is there.
      if (body !== undefined || request.readableDidRead) return;
      const { headers } = request;
      if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) {
        return;
      }
      warn(
        "RISKGATE_BODY_NOT_PARSED",
        "riskGate ran before the body was parsed and sees no email address. " +
          "Mount the body parser before riskGate, or set its option `email`",
      );
    },
    address(ip) {
      if (!single) return;
      if (first === undefined) {
        first = ip;
        single = !isPublicIp(ip);
      } else if (ip !== first) single = false;
      if (!single || ++requests < REQUESTS_IN_A_ROW) return;
      single = false;
      warn(
        "RISKGATE_SINGLE_CLIENT",
        "every client so far has one and the same private address, probably that of a proxy. " +
          "Set `trustedProxies` of riskGate to the addresses of your proxies",
      );
    },
  };
}
