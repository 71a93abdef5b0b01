import type { IncomingMessage } from "node:http";
import type { LambdaContext, LambdaEvent, LambdaResult } from "../src/lambda-event.js";

/** Who calls a function by HTTP. */
export type EventKind = "API Gateway v1" | "API Gateway v2" | "function URL" | "load balancer";

export const KINDS: readonly EventKind[] = [
  "API Gateway v1",
  "API Gateway v2",
  "function URL",
  "load balancer",
];

/** An invocation with plenty of time. */
export const CONTEXT: LambdaContext = { getRemainingTimeInMillis: () => 60_000 };

/** What a gateway makes of a request. */
export function eventOf(kind: EventKind, request: IncomingMessage, body: Buffer): LambdaEvent {
  const { method = "GET", url = "/", socket } = request;
  const [path = "/", query = ""] = url.split("?");
  const sourceIp = socket.remoteAddress ?? "";
  const multi: Record<string, string[]> = {};
  for (const [name, lines] of Object.entries(request.headersDistinct)) multi[name] = lines ?? [];
  multi["x-forwarded-for"] = [[...(multi["x-forwarded-for"] ?? []), sourceIp].join(", ")];
  const single = Object.fromEntries(
    Object.entries(multi).map(([name, lines]) => [name, lines.join(",")]),
  );
  const content = { body: body.toString("base64"), isBase64Encoded: true };
  switch (kind) {
    case "API Gateway v1":
      return {
        httpMethod: method,
        path,
        headers: single,
        multiValueHeaders: multi,
        requestContext: { identity: { sourceIp }, resourcePath: path },
        ...content,
      };
    case "load balancer":
      return {
        httpMethod: method,
        path,
        multiValueHeaders: multi,
        requestContext: {
          elb: { targetGroupArn: "arn:aws:elasticloadbalancing:targetgroup/test" },
        },
        ...content,
      };
    default:
      return {
        rawPath: path,
        rawQueryString: query,
        headers: single,
        requestContext: { http: { method, sourceIp }, routeKey: "$default" },
        ...content,
      };
  }
}

/** Headers of an answer, one line each. */
export function linesOf({ headers, multiValueHeaders, cookies }: LambdaResult): [string, string][] {
  const many = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return [
    ...Object.entries(headers ?? {}),
    ...many,
    ...(cookies ?? []).map((cookie): [string, string] => ["set-cookie", cookie]),
  ];
}
