import type { GatedRequest, RequestHead } from "./gated-request.js";
import { isPublicIp } from "../address/special-purpose.js";
import { cleanAddress } from "./client-address.js";
import { warn } from "../base/warning.js";

/** This many consecutive requests from one private address indicate a proxy. */
const REQUESTS_IN_A_ROW = 1000;

/** If this many bodies have no email before any has one, the email is elsewhere. */
const BODIES_WITHOUT_EMAIL = 50;

/** If this many requests have no usable address before any has one, it is read in the wrong place. */
const REQUESTS_WITHOUT_ADDRESS = 50;

/** Names to show: a longer one, or one with other characters, may be a value. */
const MEMBER = /^[a-z_][\w-]{0,39}$/i;

const MAX_MEMBERS = 10;

/**
 * Detects setups in which a gate or a watch reads the wrong address or body, and warns once. After a warning,
 * or once the setup is known to be correct, a check does nothing.
 */
export interface SetUpWarnings {
  /** Checks how the framework determines the client's address. */
  trust(gated: Pick<GatedRequest, "unsafeTrust">): void;
  /** Checks that the body, if there is one, has been parsed. */
  body(request: RequestHead, body: unknown): void;
  /** Checks that one of the first bodies has an email at the path. */
  email(isAbsent: boolean, body: unknown, path: readonly string[]): void;
  /**
   * Checks that the address belongs to a client and not to a proxy.
   * @param ip Undefined if it cannot be used.
   */
  address(ip: string | undefined, request: RequestHead): void;
}

/**
 * Creates the checks for one gate or watch.
 *
 * @param remedy Advice for bodies in which no email is found.
 */
export function createSetUpWarnings(remedy: string): SetUpWarnings {
  let trustChecked = false;
  let bodyWarned = false;
  let addressChecked = false;
  let first: string | undefined;
  let requests = 0;
  let bodies = 0;
  let unaddressed = 0;
  const members = new Set<string>();

  return {
    trust(gated) {
      if (trustChecked) return;
      trustChecked = true;
      const problem = gated.unsafeTrust();
      if (!problem) return;
      warn("RISKGATE_UNSAFE_TRUST", `${problem}. ${REMEDY}`);
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
        "no email is read from a body that is not parsed. Mount the body parser first",
      );
    },
    email(isAbsent, body, path) {
      if (bodies === BODIES_WITHOUT_EMAIL) return;
      if (!isAbsent) {
        bodies = BODIES_WITHOUT_EMAIL;
        members.clear();
        return;
      }
      const names = namesOf(body);
      for (const name of names) {
        members.add(name);
        const inner = namesOf((body as Record<string, unknown>)[name]);
        for (const part of inner) members.add(`${name}.${part}`);
      }
      if (names[0] && ++bodies === BODIES_WITHOUT_EMAIL) {
        warn(
          "RISKGATE_NO_EMAIL",
          `no email at \`${path.join(".")}\` in ${bodies} bodies with ${[...members].slice(0, MAX_MEMBERS).join(", ")}. ${remedy}`,
        );
      }
    },
    address(ip, request) {
      if (addressChecked) return;
      if (ip === undefined) {
        if (++unaddressed === REQUESTS_WITHOUT_ADDRESS) {
          warn("RISKGATE_NO_CLIENT_ADDRESS", `no request has a client address. ${REMEDY}`);
        }
        return;
      }
      unaddressed = Infinity;
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
          ? `the client's address is a private one of a proxy that sent X-Forwarded-For. ${REMEDY}`
          : `all clients so far have one private address, probably of a proxy. ${REMEDY}`,
      );
    },
  };
}

function namesOf(body: unknown): string[] {
  const names = typeof body === "object" ? Object.keys(body ?? {}).slice(0, MAX_MEMBERS) : [];
  return names.filter((name) => MEMBER.test(name));
}

const REMEDY = "Set `trustedProxies` to the addresses of your proxies";

/** Returns true if an address in normal form is the socket's. */
function isPeer(ip: string, remoteAddress: string | undefined): boolean {
  return ip === remoteAddress || ip === cleanAddress(remoteAddress);
}
