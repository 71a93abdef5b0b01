import { describe, expect, it } from "vitest";
import { guardedPath, guardsCreation, hasOwnEmail, isLogin } from "../src/guarded-paths.js";

describe("guardedPath", () => {
  it.each([
    ["/sign-up/email", "signUp", "email"],
    ["/sign-in/email", "login", "email"],
    ["/sign-in/social", "login", "email"],
    ["/change-email", "other", "newEmail"],
    ["/request-password-reset", "other", "email"],
  ])("sends %s through the gate %s, by the member %s", (path, gate, email) => {
    expect(guardedPath(path)).toEqual({ gate, email });
  });

  it.each(["/callback/:id", "/oauth2/callback/:providerId", "/magic-link/verify", "/get-session"])(
    "leaves %s to its endpoint, because its email is not known yet",
    (path) => expect(guardedPath(path)).toBeUndefined(),
  );
});

describe("guardsCreation", () => {
  it("covers users that no sign-up gate has seen, except those of an admin", () => {
    expect(
      ["/callback/:id", "/magic-link/verify", "/sign-in/email-otp"].every(guardsCreation),
    ).toBe(true);
    expect(["/sign-up/email", "/admin/create-user"].some(guardsCreation)).toBe(false);
  });

  it("does not score emails that the server generates", () => {
    expect(hasOwnEmail("/sign-in/anonymous")).toBe(false);
    expect(hasOwnEmail("/callback/:id")).toBe(true);
    expect(isLogin("/sign-in/anonymous")).toBe(false);
    expect(isLogin("/callback/:id")).toBe(true);
  });
});
