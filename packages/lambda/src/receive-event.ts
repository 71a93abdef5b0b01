import { RiskGateError } from "@riskgate/web";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
import { type ReadEvent, readEvent } from "./read-event.js";
import { answerInTime, writeResult } from "./write-result.js";

/**
 * Handles an event as a request within its time limit; undefined without a response.
 * @param answer Returns the response, or undefined if the request passes.
 * @throws {RiskGateError} INVALID_ARGUMENT for an event that is not an HTTP request.
 */
export async function receiveEvent(
  event: LambdaEvent,
  context: LambdaContext,
  answer: (read: ReadEvent) => Promise<Response | undefined>,
): Promise<LambdaResult | undefined> {
  refuseOtherEvents(event);
  let read: ReadEvent;
  try {
    read = readEvent(event);
  } catch {
    return writeResult(event, new Response(null, { status: 400 }));
  }
  const late = async (): Promise<Response> =>
    new Response(null, { status: 503, headers: { "retry-after": "5" } });
  const response = await answerInTime(context, answer(read), late);
  return response && writeResult(event, response);
}

/** Refuses events from consoles, queues and authorizers, which cannot be evaluated or answered. */
function refuseOtherEvents(event: unknown): void {
  const { requestContext, httpMethod, methodArn, routeArn } = (event ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { http } = (requestContext ?? {}) as Partial<LambdaEvent["requestContext"]>;
  const isRequest = typeof (http?.method ?? (requestContext && httpMethod)) === "string";
  // An authorizer also receives the request, but returns a policy.
  if (isRequest && methodArn === undefined && routeArn === undefined) return;
  throw new RiskGateError(
    "INVALID_ARGUMENT",
    "the event is not an HTTP request: expected one of API Gateway in payload format 1.0 or 2.0, of a " +
      "function URL or of an Application Load Balancer",
    { hint: "Invoke the function by one of these four, or test it with an event in their form" },
  );
}
