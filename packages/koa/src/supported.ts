import { checkPeer } from "@riskgate/core";

/** Refuse a Koa that this package was not made for. */
export function checkKoa(): void {
  checkPeer("koa", ["2.15", "3.0"], new Error());
}
