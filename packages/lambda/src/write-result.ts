import { isUtf8 } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { limitTime } from "@riskgate/web/adapter";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";

/** Writes an answer in the form that the sender of an event reads. */
export async function writeResult(event: LambdaEvent, response: Response): Promise<LambdaResult> {
  const { status } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = isUtf8(bytes);
  const result: LambdaResult = {
    statusCode: status,
    body: bytes.toString(isText ? "utf8" : "base64"),
    isBase64Encoded: !isText,
  };
  if (event.requestContext.elb !== undefined) {
    result.statusDescription = `${status} ${STATUS_CODES[status] ?? "Unknown"}`;
  }
  return { ...result, ...headersOf(event, response.headers) };
}

/** Adds headers to the result of a handler; a result that is not a response has none. */
export function withHeaders<Result>(event: LambdaEvent, result: Result, added: Headers): Result {
  const isResponse = typeof result === "object" && result !== null && "statusCode" in result;
  if (!isResponse || [...added].length === 0) return result;
  const given = result as Partial<LambdaResult>;
  const { headers, multiValueHeaders, cookies } = headersOf(event, added);
  return {
    ...result,
    ...(headers && { headers: { ...headers, ...given.headers } }),
    ...(multiValueHeaders && {
      multiValueHeaders: { ...multiValueHeaders, ...given.multiValueHeaders },
    }),
    ...(cookies && { cookies: [...cookies, ...(given.cookies ?? [])] }),
  };
}

/** Writes headers in the form that the sender of an event reads. */
function headersOf(
  event: LambdaEvent,
  from: Headers,
): Pick<LambdaResult, "headers" | "multiValueHeaders" | "cookies"> {
  const cookies = from.getSetCookie();
  const single = [...from].filter(([name]) => name !== "set-cookie");
  // An answer in the other form loses its headers at a load balancer.
  if (event.multiValueHeaders) {
    const lists = single.map(([name, value]): [string, string[]] => [name, [value]]);
    if (cookies.length > 0) lists.push(["set-cookie", cookies]);
    return { multiValueHeaders: Object.fromEntries(lists) };
  }
  const headers = Object.fromEntries(single);
  if (cookies[0] === undefined) return { headers };
  if (event.requestContext.http) return { headers, cookies };
  return { headers: { ...headers, "set-cookie": cookies[0] } };
}

/** Reserved time of an invocation, so that its answer is still sent. */
const RESERVE_MS = 250;

/**
 * Answers within the remaining time of an invocation: if it takes longer, the answer is 503, and the
 * request does not pass.
 */
export function answerInTime<T>(
  context: LambdaContext,
  answering: Promise<T>,
  late: () => Promise<T>,
): Promise<T> {
  const leftMs = Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS);
  return limitTime(answering, leftMs, late, true);
}
