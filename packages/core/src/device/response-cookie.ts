import { RiskGateError } from "../base/errors.js";
import { typeName } from "../base/type-name.js";
import type { CookieResponse, LambdaResponse } from "../model/devices.js";

const NAME = "Set-Cookie";

/**
 * Adds a cookie to the response of any framework, and keeps those that it has.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT for any other value, and if the response has been sent.
 */
export function addCookie(response: CookieResponse, cookie: string): void {
  const add = adderOf(response);
  if (!add) {
    throw new RiskGateError(
      "INVALID_ARGUMENT",
      `expected a response as the first argument of remember(), given ${typeName(response)}`,
      {
        hint: "Pass the framework's response, reply or context, or the result of a Lambda function",
      },
    );
  }
  try {
    add(cookie);
  } catch (cause) {
    throw new RiskGateError("INVALID_ARGUMENT", "the response takes no more cookies", {
      cause,
      hint: "Call remember() before the response is sent, and not on a redirect or fetched response whose headers are immutable",
    });
  }
}

function adderOf(response: CookieResponse): ((cookie: string) => unknown) | undefined {
  if (typeof response !== "object" || response === null) return undefined;
  // Node and Express first: the `header` of Express replaces the cookies that are there.
  if (isMethod(response, "appendHeader")) return (cookie) => response.appendHeader(NAME, cookie);
  if (isMethod(response, "append")) return (cookie) => response.append(NAME, cookie);
  if (isMethod(response, "header")) {
    return (cookie) => response.header(NAME, cookie, { append: true });
  }
  if ("statusCode" in response) return (cookie) => addToResult(response, cookie);
  if (isMethod(response.headers, "append")) {
    const { headers } = response;
    return (cookie) => headers.append(NAME, cookie);
  }
  return undefined;
}

function isMethod<Name extends string, T>(
  value: T,
  name: Name,
): value is Extract<T, Readonly<Record<Name, unknown>>> {
  return typeof (value as Record<string, unknown> | null | undefined)?.[name] === "function";
}

/** Each event format reads another member; a single header is read in all but one. */
function addToResult(result: LambdaResponse, cookie: string): void {
  if (result.cookies) result.cookies.push(cookie);
  else if (result.multiValueHeaders) {
    const { multiValueHeaders: headers } = result;
    const name = Object.keys(headers).find((one) => one.toLowerCase() === "set-cookie") ?? NAME;
    (headers[name] ??= []).push(cookie);
  } else {
    const headers = (result.headers ??= {});
    const isTaken = Object.keys(headers).some((name) => name.toLowerCase() === "set-cookie");
    if (isTaken) {
      throw new TypeError("a second cookie needs `cookies` or `multiValueHeaders` in the result");
    }
    headers[NAME] = cookie;
  }
}
