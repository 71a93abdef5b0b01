import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
import { type ReadEvent, readEvent } from "./read-event.js";
import { answerInTime, writeResult } from "./write-result.js";

/**
 * Answers an event as a request, within its time; undefined without an answer.
 *
 * @param answer Returns the answer to the request, or undefined if it passes.
 */
export async function receiveEvent(
  event: LambdaEvent,
  context: LambdaContext,
  answer: (read: ReadEvent) => Promise<Response | undefined>,
): Promise<LambdaResult | undefined> {
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
