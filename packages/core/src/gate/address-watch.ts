import type { IncomingMessage } from "node:http";
import type { GatedRequest } from "./gated-request.js";
import { isPublicIp } from "../address/special-purpose.js";
import { warn } from "../base/warning.js";

/** This many requests from one private address in a row are not a coincidence. */
const REQUESTS_IN_A_ROW = 1000;

/**
 * Looks for set-ups in which a gate judges the wrong thing, and warns once. A check that has warned,
 * or has seen that all is well, does nothing more.
 */
export interface AddressWatch {
  /** Check how the framework finds the client's address. */
  trust(gated: Pick<GatedRequest, "unsafeTrust">): void;
  /** Check that a body, where there is one, has been parsed. */
  body(request: IncomingMessage, body: unknown): void;
  /** Check that not every client is one private address. */
  address(ip: string): void;
}

/** Make the watch of one gate. */
export function createAddressWatch(): AddressWatch {
  let trustChecked = false;
  let bodyWarned = false;
  let addressChecked = false;
  let first: string | undefined;
  let requests = 0;

  return {
    trust(gated) {
      if (trustChecked) return;
      trustChecked = true;
      const problem = gated.unsafeTrust();
      if (!problem) return;
      warn(
        "RISKGATE_UNSAFE_TRUST",
        `${problem}: a client can choose the address it is judged by. ` +
          "Set `trustedProxies` of riskGate to the addresses of your proxies",
      );
    },
    body(request, body) {
      if (bodyWarned || body !== undefined || request.readableDidRead) return;
      // Node makes the headers when they are first read: not for a body that has been parsed.
      const { headers } = request;
      if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) {
        return;
      }
      bodyWarned = true;
      warn(
        "RISKGATE_BODY_NOT_PARSED",
        "riskGate ran before the body was parsed and sees no email address. " +
          "Mount the body parser before riskGate, or set its option `email`",
      );
    },
    address(ip) {
      if (addressChecked) return;
      first ??= ip;
      if (ip !== first || isPublicIp(ip)) addressChecked = true;
      else if (++requests >= REQUESTS_IN_A_ROW) {
        addressChecked = true;
        warn(
          "RISKGATE_SINGLE_CLIENT",
          "every client so far has the same private address, probably that of a proxy. " +
            "Set `trustedProxies` of riskGate to the addresses of your proxies",
        );
      }
    },
  };
}
