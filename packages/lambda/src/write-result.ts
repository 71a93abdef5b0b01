import { isUtf8 } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { limitTime } from "@riskgate/web/adapter";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";

/** Write an answer in the form that the sender of an event reads. */
export async function writeResult(event: LambdaEvent, response: Response): Promise<LambdaResult> {
  const { status } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = isUtf8(bytes);
  const cookies = response.headers.getSetCookie();
  const single = [...response.headers].filter(([name]) => name !== "set-cookie");
  const result: LambdaResult = {
    statusCode: status,
    body: bytes.toString(isText ? "utf8" : "base64"),
    isBase64Encoded: !isText,
  };
  if (event.requestContext.elb !== undefined) {
    result.statusDescription = `${status} ${STATUS_CODES[status] ?? "Unknown"}`;
  }
  // An answer in the other form loses its headers at a load balancer.
  if (event.multiValueHeaders) {
    const lists = single.map(([name, value]): [string, string[]] => [name, [value]]);
    if (cookies.length > 0) lists.push(["set-cookie", cookies]);
    result.multiValueHeaders = Object.fromEntries(lists);
  } else {
    result.headers = Object.fromEntries(single);
    if (event.requestContext.http && cookies.length > 0) result.cookies = cookies;
    else if (cookies[0] !== undefined) result.headers["set-cookie"] = cookies[0];
  }
  return result;
}

/** What is kept back of the time of an invocation, so that its answer still gets out. */
const RESERVE_MS = 250;

/**
 * Answer within the time that is left of an invocation: what takes longer is answered 503, and
 * nothing is let through.
 */
export function answerInTime<T>(
  context: LambdaContext,
  answering: Promise<T>,
  late: () => Promise<T>,
): Promise<T> {
  const leftMs = Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS);
  return limitTime(answering, leftMs, late, true);
}
