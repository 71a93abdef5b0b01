import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import { isPublicIp } from "../address/special-purpose.js";
import { cleanAddress } from "../decision/client-address.js";
import { warn } from "../base/warning.js";

/** This many requests from one private address in a row are not a coincidence. */
const REQUESTS_IN_A_ROW = 1000;

/**
 * Looks for set-ups in which a gate judges the wrong thing, and warns once. A check that has warned,
 * or has seen that all is well, does nothing more.
 */
export interface SetUpWarnings {
  /** Check how the framework finds the client's address. */
  trust(gated: Pick<GatedRequest, "unsafeTrust">): void;
  /** Checks that a body, if the request has one, has been parsed. */
  body(request: RequestHead, body: unknown): void;
  /** Check that the address judged is that of a client, and not that of a proxy. */
  address(ip: string, request: RequestHead): void;
}

/** Make the watch of one gate. */
export function createSetUpWarnings(): SetUpWarnings {
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
        `${problem}: a client can choose the address it is judged by. ${REMEDY}`,
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
    address(ip, request) {
      if (addressChecked) return;
      addressChecked = isPublicIp(ip);
      if (addressChecked) return;
      first ??= ip;
      // Two private addresses are clients of a private network, until one of them shows to be a proxy.
      if (ip !== first) requests = -Infinity;
      const { headers, socket } = request;
      const isProxy = headers["x-forwarded-for"] !== undefined && isPeer(ip, socket.remoteAddress);
      if (!isProxy && ++requests < REQUESTS_IN_A_ROW) return;
      addressChecked = true;
      warn(
        "RISKGATE_SINGLE_CLIENT",
        isProxy
          ? "a request with X-Forwarded-For came from a private address, that of a proxy, " +
              `and is judged by it. ${REMEDY}`
          : `every client so far has the same private address, probably that of a proxy. ${REMEDY}`,
      );
    },
  };
}

const REMEDY = "Set `trustedProxies` of riskGate to the addresses of your proxies";

/** Whether an address, in its one spelling, is that of the socket. */
function isPeer(ip: string, remoteAddress: string | undefined): boolean {
  return ip === remoteAddress || ip === cleanAddress(remoteAddress);
}
