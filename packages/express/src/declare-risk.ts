import { IncomingMessage } from "node:http";
import type { Decision } from "@riskgate/core";

const decisions = new WeakMap<object, Decision>();

/**
 * Declare `risk` once on what all requests of an Express inherit from. Express changes the prototype
 * of each request, after which V8, up to that of Node 22, makes a hidden class for every property
 * that a request gets of its own. What is no request of Express on `node:http` is left as it is.
 */
export function declareRisk(request: object): void {
  const prototype = expressPrototypeOf(request);
  if (!prototype || "risk" in prototype) return;
  Object.defineProperty(prototype, "risk", {
    configurable: true,
    enumerable: true,
    get(this: object) {
      return decisions.get(this);
    },
    set(this: object, decision: Decision) {
      decisions.set(this, decision);
    },
  });
}

/** The prototype next to Node's own: `express.request`, above those of an application and its parents. */
function expressPrototypeOf(request: object): object | undefined {
  let prototype = parentOf(request);
  while (prototype && parentOf(prototype) !== IncomingMessage.prototype) {
    prototype = parentOf(prototype);
  }
  return prototype;
}

function parentOf(object: object): object | undefined {
  return (Object.getPrototypeOf(object) as object | null) ?? undefined;
}
