import { describe, expect, it } from "vitest";
import { createAuthenticator, keyHashOf } from "../../src/http/authenticator.js";
import type { Application } from "../../src/storage/applications.js";

describe("keyHashOf", () => {
  it.each([undefined, "", ["a", "b"], "x".repeat(257)])("takes %j for no key", (header) => {
    expect(keyHashOf(header)).toBeUndefined();
  });

  it("hashes anything else", () => {
    expect(keyHashOf("abc")).toMatch(/^ba7816bf[0-9a-f]{56}$/);
  });
});

describe("createAuthenticator", () => {
  const shop = { id: "1" } as Application;

  it("asks once for a valid key, and each time for any other", async () => {
    const asked: string[] = [];
    const authenticator = createAuthenticator({
      findByKeyHash(hash) {
        asked.push(hash);
        return Promise.resolve(hash === "good" ? shop : undefined);
      },
    });
    expect(authenticator.peek("good")).toBeUndefined();
    expect(await authenticator.find("good")).toBe(shop);
    expect(authenticator.peek("good")).toBe(shop);
    expect(await authenticator.find("bad")).toBeUndefined();
    expect(authenticator.peek("bad")).toBeUndefined();
    expect(asked).toEqual(["good", "bad"]);

    authenticator.forget();
    expect(authenticator.peek("good")).toBeUndefined();
  });

  it("does not remember what was read before a change", async () => {
    let answer: (application: Application) => void = () => {};
    const authenticator = createAuthenticator({
      findByKeyHash: () => new Promise((resolve) => (answer = resolve)),
    });
    const finding = authenticator.find("good");
    authenticator.forget();
    answer(shop);
    expect(await finding).toBe(shop);
    expect(authenticator.peek("good")).toBeUndefined();
  });
});
