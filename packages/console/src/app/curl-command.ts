import type { DeliveryRequest } from "@riskgate/api-types";

const OWN: readonly string[] = ["host", "content-length"];

/** Control characters: a terminal executes them when pasted, so they could replace the command. */
// oxlint-disable-next-line no-control-regex -- The pattern searches for them.
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;

/**
 * Returns the request as a command for a POSIX shell; undefined if it cannot be sent or safely
 * pasted.
 */
export function curlCommand(request: Omit<DeliveryRequest, "secretId">): string | undefined {
  const { method, url, headers, body } = request;
  if (url === null || body === null) return undefined;
  const texts = headers.flatMap(({ name, value }) => [name, value]);
  if ([url, body, ...texts].some((text) => CONTROL.test(text))) return undefined;
  const sent = headers.filter(({ name }) => !OWN.includes(name.toLowerCase()));
  return [
    `curl --request ${method} ${quoted(url)}`,
    ...sent.map(({ name, value }) => `--header ${quoted(`${name}: ${value}`)}`),
    // Other options would remove line breaks, or read a file.
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
