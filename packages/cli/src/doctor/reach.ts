import { isRiskGateError, type RiskGateError } from "@riskgate/core";
import { exchange, type HttpAnswer, type HttpQuestion } from "../http/http-exchange.js";
import type { Finding, Verdicts } from "./finding.js";

export type Reached = { readonly answer: HttpAnswer } | { readonly finding: Finding };

export async function reach(
  url: URL,
  question: HttpQuestion,
  verdicts: Verdicts,
): Promise<Reached> {
  try {
    return { answer: await exchange(url, question) };
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    return { finding: verdicts.fault(error.message, remedyOf(error)) };
  }
}

const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "The host name is unknown: check its spelling and your DNS"],
  [/^ECONNREFUSED$/, "No server is listening: check the port, and that the server is running"],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    "The host cannot be reached: check the firewall and the network",
  ],
  [/^CERT_HAS_EXPIRED$/, "The certificate has expired: renew it, or set the clock on this machine"],
  [/^CERT_NOT_YET_VALID$/, "The certificate is not valid yet: set the clock on this machine"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "The certificate is for another name: use that name, or get a certificate for this one",
  ],
  [
    /SELF_SIGNED|UNABLE_TO|CERT/,
    "The certificate is not from an authority trusted here: install a trusted one with its " +
      "whole chain, or add your own authority with NODE_EXTRA_CA_CERTS",
  ],
  [
    /^(?:EPROTO|ERR_SSL)/,
    "The server does not speak TLS: check whether the address is http:// or https://",
  ],
  [/^HPE_/, "The server does not speak HTTP: check whether the address is http:// or https://"],
  [
    /^(?:ECONNRESET|EPIPE)$/,
    "The connection was closed without an answer: check the logs of the server and of any proxy",
  ],
];

function remedyOf({ code, cause, hint }: RiskGateError): string {
  if (code === "TIMEOUT") return "Check the server: it accepted the request and did not answer";
  const system = (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  return REMEDIES.find(([pattern]) => pattern.test(system))?.[1] ?? hint;
}

/** Returns true if a closed connection may be the response to a body that is too large. */
export function isBrokenOff(error: Finding): boolean {
  return /ECONNRESET|EPIPE/.test(error.found);
}
