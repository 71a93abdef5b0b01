/** Gate that an endpoint of Better Auth passes. */
export type GateName = "signUp" | "login" | "other";

export interface GuardedPath {
  readonly gate: GateName;
  /** Member of the body with the email. */
  readonly email: "email" | "newEmail";
}

/** Endpoints that receive an email from a visitor, apart from logins. */
const PATHS: Readonly<Record<string, GuardedPath>> = {
  "/sign-up/email": { gate: "signUp", email: "email" },
  "/change-email": { gate: "other", email: "newEmail" },
  "/email-otp/request-email-change": { gate: "other", email: "newEmail" },
  "/email-otp/change-email": { gate: "other", email: "newEmail" },
  "/email-otp/send-verification-otp": { gate: "other", email: "email" },
  "/email-otp/request-password-reset": { gate: "other", email: "email" },
  "/forget-password/email-otp": { gate: "other", email: "email" },
  "/request-password-reset": { gate: "other", email: "email" },
  "/send-verification-email": { gate: "other", email: "email" },
};

/** Endpoints that start or finish a login; a social one sends the visitor to its provider first. */
const LOGIN =
  /^\/(?:sign-in\/(?!anonymous$).+|callback\/.+|oauth2\/callback\/.+|magic-link\/verify|one-tap\/callback)$/;

/** Logins that return from elsewhere: their email is known once the account is. */
const RETURN = /callback\/|^\/magic-link\/verify$/;

/** Returns how a request is guarded before its endpoint runs; undefined if it is not. */
export function guardedPath(path: string): GuardedPath | undefined {
  if (Object.hasOwn(PATHS, path)) return PATHS[path];
  return isLogin(path) && !RETURN.test(path) ? { gate: "login", email: "email" } : undefined;
}

export function isLogin(path: string): boolean {
  return LOGIN.test(path);
}

/** Endpoints that create users with a generated email. */
const GENERATED = /^\/(?:sign-in\/anonymous|phone-number\/verify|siwe\/verify)$/;

/** Returns true if the email of a created user is the visitor's. */
export function hasOwnEmail(path: string): boolean {
  return !GENERATED.test(path);
}

/** Returns true if the creation of a user is guarded: not after a sign-up gate, or by an admin. */
export function guardsCreation(path: string): boolean {
  return PATHS[path]?.gate !== "signUp" && !path.startsWith("/admin/");
}
