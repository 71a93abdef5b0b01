import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import { isPublicIp } from "../address/special-purpose.js";
import { cleanAddress } from "../decision/client-address.js";
import { warn } from "../base/warning.js";

/** This many consecutive requests from one private address indicate a proxy. */
const REQUESTS_IN_A_ROW = 1000;

/**
 * Detects setups in which a gate reads the wrong address or body, and warns once. After a warning,
 * or once the setup is known to be correct, a check does nothing.
 */
export interface SetUpWarnings {
  /** Checks how the framework determines the client's address. */
  trust(gated: Pick<GatedRequest, "unsafeTrust">): void;
  /** Checks that the body, if there is one, has been parsed. */
  body(request: RequestHead, body: unknown): void;
  /** Checks that the address belongs to a client and not to a proxy. */
  address(ip: string, request: RequestHead): void;
}

/** Creates the checks for one gate. */
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
      warn("RISKGATE_UNSAFE_TRUST", `${problem}: a client can choose its own address. ${REMEDY}`);
    },
    body(request, body) {
      if (bodyWarned || body !== undefined || request.readableDidRead) return;
      // Node builds the headers on first access, so they are not read if the body was parsed.
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
      // Two private addresses suggest private clients, unless one proves to be a proxy.
      if (ip !== first) requests = -Infinity;
      const { headers, socket } = request;
      const isProxy = headers["x-forwarded-for"] !== undefined && isPeer(ip, socket.remoteAddress);
      if (!isProxy && ++requests < REQUESTS_IN_A_ROW) return;
      addressChecked = true;
      warn(
        "RISKGATE_SINGLE_CLIENT",
        isProxy
          ? "a request with X-Forwarded-For came from a private address, which must be a proxy, " +
              `and the gate uses that address. ${REMEDY}`
          : `every client so far has the same private address, probably a proxy's. ${REMEDY}`,
      );
    },
  };
}

const REMEDY = "Set `trustedProxies` of riskGate to the addresses of your proxies";

/** Returns true if an address in normal form is the socket's. */
function isPeer(ip: string, remoteAddress: string | undefined): boolean {
  return ip === remoteAddress || ip === cleanAddress(remoteAddress);
}
