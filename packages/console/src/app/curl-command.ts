import type { DeliveryRequest } from "@riskgate/api-types";

/** Headers that curl sets by itself, from the URL and the body. */
const OWN: readonly string[] = ["host", "content-length"];

/** Control characters: a terminal obeys them when pasted, so they could replace the command. */
// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;

/** The same request as a command for a POSIX shell; undefined where it cannot be sent, or safely pasted. */
export function curlCommand(request: Omit<DeliveryRequest, "secretId">): string | undefined {
  const { method, url, headers, body } = request;
  if (url === null || body === null) return undefined;
  const texts = headers.flatMap(({ name, value }) => [name, value]);
  if ([url, body, ...texts].some((text) => CONTROL.test(text))) return undefined;
  const sent = headers.filter(({ name }) => !OWN.includes(name.toLowerCase()));
  return [
    `curl --request ${method} ${quoted(url)}`,
    ...sent.map(({ name, value }) => `--header ${quoted(`${name}: ${value}`)}`),
    // As it is: another option would remove line breaks, or read a file.
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");
}

/** Text between single quotes, which mean themselves in no other way. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
