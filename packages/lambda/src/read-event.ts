import type { LambdaEvent } from "./lambda-event.js";

export interface ReadEvent {
  readonly request: Request;
  readonly remoteAddress: string | undefined;
  readonly route: string | undefined;
  /** The body, which the handler can read for any method. */
  readonly bytes: Uint8Array | undefined;
}

const FORWARDED_FOR = "x-forwarded-for";

/** Methods that a `Request` cannot have. */
const NO_METHOD = /^(?:connect|trace|track)$/i;

/** Methods for which a `Request` cannot have a body. */
const NO_BODY = /^(?:get|head|options)$/i;

/**
 * Converts an event to a request.
 *
 * @throws {TypeError} For a header that a `Request` cannot have.
 */
export function readEvent(event: LambdaEvent): ReadEvent {
  const { requestContext, body, isBase64Encoded } = event;
  const given = requestContext.http?.method ?? event.httpMethod ?? "";
  // A substitute without a body, which every route refuses for the same reason.
  const method = NO_METHOD.test(given) ? "OPTIONS" : given;
  const headers = headersOf(event);
  const remoteAddress = addressOf(event, headers);
  const bytes =
    typeof body === "string"
      ? Uint8Array.from(Buffer.from(body, isBase64Encoded === true ? "base64" : "utf8"))
      : undefined;
  const query = event.rawQueryString ? `?${event.rawQueryString}` : "";
  // The host is only a header here: nothing depends on it.
  const url = `https://lambda.invalid${event.rawPath ?? event.path ?? "/"}${query}`;
  const request = new Request(url, {
    method,
    headers,
    body: NO_BODY.test(method) ? null : (bytes ?? null),
  });
  const route = requestContext.routeKey?.replace(/^\S+ /, "") ?? requestContext.resourcePath;
  return { request, remoteAddress, route, bytes };
}

/** Invalid headers are omitted: nothing here reads them, and the handler has the event. */
function headersOf({ headers, multiValueHeaders, cookies }: LambdaEvent): Headers {
  const read = new Headers();
  const append = (name: string, line: string): void => {
    try {
      read.append(name, line);
    } catch {
      // Not a header that is read here.
    }
  };
  if (multiValueHeaders) {
    for (const [name, lines] of Object.entries(multiValueHeaders)) {
      for (const line of lines ?? []) append(name, line);
    }
  } else {
    for (const [name, line] of Object.entries(headers ?? {})) append(name, line ?? "");
  }
  if (cookies) append("cookie", cookies.join("; "));
  return read;
}

/**
 * Returns the address seen by the gateway or load balancer. It is removed from the end of
 * X-Forwarded-For, which repeats it: the remaining entries come from other proxies and the client.
 */
function addressOf({ requestContext }: LambdaEvent, headers: Headers): string | undefined {
  const { http, identity, elb } = requestContext;
  const entries = (headers.get(FORWARDED_FOR) ?? "").split(",").map((entry) => entry.trim());
  const last = entries.at(-1) === "" ? undefined : entries.at(-1);
  const address = elb === undefined ? (http?.sourceIp ?? identity?.sourceIp) : last;
  if (address !== undefined && address === last) {
    if (entries.length === 1) headers.delete(FORWARDED_FOR);
    else headers.set(FORWARDED_FOR, entries.slice(0, -1).join(", "));
  }
  return address;
}

/** Gates and watches for the same event share its request, and through it their lookups. */
const requests = new WeakMap<LambdaEvent, ReadEvent>();

export function firstOf(event: LambdaEvent, read: ReadEvent): ReadEvent {
  const first = requests.get(event) ?? read;
  requests.set(event, first);
  return first;
}
