import type { APIError } from "better-auth/api";
import { loadApi } from "./lazy-middleware.js";

/** Codes of the errors that the plugin adds to the endpoints of Better Auth. */
export const ERROR_CODES = {
  RISK_REJECTED: { code: "RISK_REJECTED", message: "The request was refused" },
  RISK_UNAVAILABLE: {
    code: "RISK_UNAVAILABLE",
    message: "The request cannot be checked at the moment",
  },
  CHALLENGE_REQUIRED: { code: "CHALLENGE_REQUIRED", message: "The request needs another check" },
  CHALLENGE_LIMITED: { code: "CHALLENGE_LIMITED", message: "Too many challenges failed" },
  IDENTIFIER_INVALID: {
    code: "IDENTIFIER_INVALID",
    message: "The email address must be a string",
  },
} as const;

/** Converts the response of a gate to an error of Better Auth, with the same status and members. */
export async function refusalError(response: Response): Promise<APIError> {
  const problem = await readProblem(response);
  const { title, status: _, type: __, ...members } = problem;
  const code = typeof problem["code"] === "string" ? problem["code"] : "RISK_REJECTED";
  const headers = new Headers(response.headers);
  // Better Auth serializes another body.
  for (const name of ["content-type", "content-length"]) headers.delete(name);
  const body = { ...members, code, message: typeof title === "string" ? title : code };
  const api = await loadApi();
  const status = response.status as ConstructorParameters<typeof APIError>[0];
  return new api.APIError(status, body, headers);
}

async function readProblem(response: Response): Promise<Record<string, unknown>> {
  try {
    const problem: unknown = await response.json();
    return typeof problem === "object" && problem !== null ? { ...problem } : {};
  } catch {
    // A response of `onReject` that is not JSON.
    return {};
  }
}
