import { checkPeer } from "@riskgate/core";

/** Refuse an Express that this package was not made for. */
export function checkExpress(): void {
  checkPeer("express", ["4.18", "5.0"], new Error());
}
