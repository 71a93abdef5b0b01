import type { Devices } from "@riskgate/web";

/** The parts of `auth` that find users and delete their sessions. */
export interface SessionOwner {
  readonly $context: Promise<{
    readonly internalAdapter: {
      findUserByEmail(email: string): Promise<{ readonly user: { readonly id: string } } | null>;
      listSessions(userId: string): Promise<readonly { readonly token: string }[]>;
      deleteSessions(tokens: string[]): Promise<unknown>;
    };
  }>;
}

/** The part of a security response that lists accounts. */
export interface AccountResponse {
  readonly properties: { readonly user_identifiers: readonly (string | object)[] };
}

/**
 * Deletes all sessions of the accounts in a security response: call it in the handler
 * `security_response` of a webhook route. With `device`, it also forgets their browsers.
 *
 * @returns Number of sessions.
 * @throws Errors of the database, by rejection, so that the sender delivers again.
 */
export async function revokeSessions(
  auth: SessionOwner,
  response: AccountResponse,
  { device }: { readonly device?: Devices } = {},
): Promise<number> {
  const { internalAdapter } = await auth.$context;
  let count = 0;
  for (const email of emailsOf(response)) {
    const found = await internalAdapter.findUserByEmail(email);
    if (!found) continue;
    const sessions = await internalAdapter.listSessions(found.user.id);
    if (sessions.length > 0)
      await internalAdapter.deleteSessions(sessions.map(({ token }) => token));
    count += sessions.length;
  }
  await device?.apply(response);
  return count;
}

/** Better Auth stores emails in lower case. */
function emailsOf({ properties }: AccountResponse): ReadonlySet<string> {
  const emails = properties.user_identifiers.flatMap((identifier) => {
    const { email } =
      typeof identifier === "string" ? { email: identifier } : (identifier as { email?: unknown });
    return typeof email === "string" && email.includes("@") ? email.toLowerCase() : [];
  });
  return new Set(emails);
}
