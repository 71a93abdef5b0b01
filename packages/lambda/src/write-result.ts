import { isUtf8 } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { limitTime } from "@riskgate/web/adapter";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";

/** Converts a response to the format expected by the event's source. */
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

/** Adds headers to a handler's result, unless the result is not a response. */
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

/** Converts headers to the format expected by the event's source. */
function headersOf(
  event: LambdaEvent,
  from: Headers,
): Pick<LambdaResult, "headers" | "multiValueHeaders" | "cookies"> {
  const cookies = from.getSetCookie();
  const single = [...from].filter(([name]) => name !== "set-cookie");
  // A load balancer drops the headers of a response in the other format.
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

/** Time reserved at the end of an invocation for sending the response, in milliseconds. */
const RESERVE_MS = 250;

/**
 * Responds within an invocation's remaining time: if it takes longer, the response is 503, and the
 * request does not pass.
 */
export function answerInTime<T>(
  context: LambdaContext,
  answering: Promise<T>,
  late: () => Promise<T>,
): Promise<T> {
  return limitTime(answering, remainingMs(context), late, true);
}

/** Returns an invocation's remaining time, less the reserve. */
export function remainingMs(context: LambdaContext): number {
  return Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS);
}

/** Returns the status that the event's source sends for a handler's result. */
export function statusOf(event: LambdaEvent, result: unknown): number {
  const { statusCode } = (result ?? {}) as { readonly statusCode?: unknown };
  if (statusCode !== undefined) return Number(statusCode);
  // Other results are bodies in payload format 2.0, and malformed elsewhere.
  return event.requestContext.http ? 200 : 502;
}
