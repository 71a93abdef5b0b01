import { Catch, type ExceptionFilter } from "@nestjs/common";

/** Ends a request that a gate has answered: a guard that returns false would have Nest answer again. */
class RequestAnswered extends Error {}

/** One for all requests: nobody reads its stack. */
export const REQUEST_ANSWERED: Error = new RequestAnswered("the gate has answered the request");

/** Keeps the end of an answered request from the filters of the application. */
export class RequestAnsweredFilter implements ExceptionFilter {
  catch(): void {}
}
Catch(RequestAnswered)(RequestAnsweredFilter);
