import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../src/http/authenticator.js";
import type { Application } from "../../src/storage/applications.js";
import { hashApiKey } from "../../src/storage/api-keys.js";

const shop = { id: "1" } as Application;

function authenticatorFor(key: string) {
  const asked: string[] = [];
  const authenticator = createAuthenticator({
    findByKeyHash(hash) {
      asked.push(hash);
      return Promise.resolve(hash === hashApiKey(key) ? shop : undefined);
    },
  });
  return { authenticator, asked };
}

describe("createAuthenticator", () => {
  it.each([undefined, "", ["a", "b"], "x".repeat(257)])("takes %j for no key", (header) => {
    const { authenticator, asked } = authenticatorFor("good");
    expect(authenticator.authenticate({}, header)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("asks once for a valid key, by its hash, whatever the connection", async () => {
    const { authenticator, asked } = authenticatorFor("good");
    const connection = {};
    expect(await authenticator.authenticate(connection, "good")).toBe(shop);
    expect(authenticator.authenticate(connection, "good")).toBe(shop);
    expect(authenticator.authenticate({}, "good")).toBe(shop);
    expect(asked).toEqual([hashApiKey("good")]);
  });

  it("asks each time for any other key, on a connection that showed a good one too", async () => {
    const { authenticator, asked } = authenticatorFor("good");
    const connection = {};
    await authenticator.authenticate(connection, "good");
    expect(await authenticator.authenticate(connection, "bad")).toBeUndefined();
    expect(await authenticator.authenticate(connection, "bad")).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it("asks anew after a change", async () => {
    const { authenticator, asked } = authenticatorFor("good");
    const connection = {};
    await authenticator.authenticate(connection, "good");
    authenticator.forget();
    expect(await authenticator.authenticate(connection, "good")).toBe(shop);
    expect(asked).toHaveLength(2);
  });

  it("does not remember what was read before a change", async () => {
    let answer: (application: Application | undefined) => void = () => {};
    const authenticator = createAuthenticator({
      findByKeyHash: () => new Promise((resolve) => (answer = resolve)),
    });
    const connection = {};
    const finding = authenticator.authenticate(connection, "good");
    authenticator.forget();
    answer(shop);
    expect(await finding).toBe(shop);

    const asking = authenticator.authenticate(connection, "good");
    answer(undefined);
    expect(await asking).toBeUndefined();
  });
});
