import { isRiskGateError, type RiskGateError } from "@riskgate/core";
import { exchange, type HttpAnswer, type HttpQuestion } from "../http-exchange.js";
import type { Finding, Verdicts } from "./finding.js";

/** An answer, or the finding that says why there is none. */
export type Reached = { readonly answer: HttpAnswer } | { readonly finding: Finding };

/** Ask something, and say what is wrong where nothing answers. */
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

/** What to do about the ways in which a connection fails, by the system's code. */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "The host name is not known: check its spelling and your DNS"],
  [/^ECONNREFUSED$/, "Nothing listens there: check the port, and that the server runs"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/, "There is no way there: check firewall and network"],
  [/^CERT_HAS_EXPIRED$/, "The certificate has expired: renew it, or set the clock of this machine"],
  [/^CERT_NOT_YET_VALID$/, "The certificate is not valid yet: set the clock of this machine"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "The certificate is for another name: use the name it is for, or have one made for this name",
  ],
  [
    /SELF_SIGNED|UNABLE_TO|CERT/,
    "The certificate is from no authority that is trusted here: install one that is, with its " +
      "whole chain, or name your own authority in NODE_EXTRA_CA_CERTS",
  ],
  [
    /^(?:EPROTO|ERR_SSL)/,
    "It does not speak TLS there: check whether the address is http:// or https://",
  ],
  [/^HPE_/, "It does not speak HTTP there: check whether the address is http:// or https://"],
  [
    /^(?:ECONNRESET|EPIPE)$/,
    "The connection was closed without an answer: look at the log of the server and of any proxy",
  ],
];

function remedyOf({ code, cause, hint }: RiskGateError): string {
  if (code === "TIMEOUT") return "Look at the server: it accepted the request and did not answer";
  const system = (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  return REMEDIES.find(([pattern]) => pattern.test(system))?.[1] ?? hint;
}

/** Whether a refused connection may be the answer to a body that is too large. */
export function isBrokenOff(error: Finding): boolean {
  return /ECONNRESET|EPIPE/.test(error.found);
}
