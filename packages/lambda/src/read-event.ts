import type { ClientInfo } from "@riskgate/web";
import { parseBody } from "@riskgate/web/adapter";
import type { LambdaEvent } from "./lambda-event.js";

/** An event as a request, with what it says beside. */
export interface ReadEvent {
  readonly request: Request;
  readonly info: ClientInfo;
}

const FORWARDED_FOR = "x-forwarded-for";

/**
 * Turn an event into a request.
 *
 * @throws {TypeError} For a method or a header that no `Request` can have.
 */
export function readEvent(event: LambdaEvent): ReadEvent {
  const { requestContext } = event;
  const method = requestContext.http?.method ?? event.httpMethod ?? "";
  const headers = headersOf(event);
  const remoteAddress = addressOf(event, headers);
  const hasBody = method !== "GET" && method !== "HEAD" && typeof event.body === "string";
  const bytes = hasBody
    ? Buffer.from(event.body ?? "", event.isBase64Encoded === true ? "base64" : "utf8")
    : null;
  const query = event.rawQueryString ? `?${event.rawQueryString}` : "";
  // The host is a header like any other: nothing here depends on it.
  const url = `https://lambda.invalid${event.rawPath ?? event.path ?? "/"}${query}`;
  const body = bytes && parseBody(headers.get("content-type"), bytes.toString());
  const route = requestContext.routeKey?.replace(/^\S+ /, "") ?? requestContext.resourcePath;
  const init = { method, headers, body: bytes && Uint8Array.from(bytes) };
  return { request: new Request(url, init), info: { remoteAddress, body: body ?? undefined, route } };
}

function headersOf({ headers, multiValueHeaders, cookies }: LambdaEvent): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(multiValueHeaders ?? headers ?? {})) {
    for (const line of typeof value === "string" ? [value] : (value ?? [])) read.append(name, line);
  }
  if (cookies) read.set("cookie", cookies.join("; "));
  return read;
}

/**
 * The address that the gateway, or the load balancer, has seen. It is taken off the end of
 * X-Forwarded-For, where it stands as well: what is left was said by those further out.
 */
function addressOf({ requestContext }: LambdaEvent, headers: Headers): string | undefined {
  const { http, identity, elb } = requestContext;
  const entries = (headers.get(FORWARDED_FOR) ?? "").split(",").map((entry) => entry.trim());
  const last = entries.at(-1) === "" ? undefined : entries.at(-1);
  const address = elb === undefined ? (http?.sourceIp ?? identity?.sourceIp) : last;
  if (address !== undefined && address === last) {
    const further = entries.slice(0, -1).join(", ");
    if (further === "") headers.delete(FORWARDED_FOR);
    else headers.set(FORWARDED_FOR, further);
  }
  return address;
}
