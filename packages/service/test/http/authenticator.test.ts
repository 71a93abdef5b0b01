import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../src/http/authenticator.js";
import type { Application } from "../../src/storage/applications.js";
import { hashApiKey } from "../../src/storage/credentials.js";

const shop = { id: "1" } as Application;

function authenticatorFor(key: string) {
  const asked: string[] = [];
  const authenticator = createAuthenticator({
    findByKeyHash(hash) {
      asked.push(hash);
      return Promise.resolve(hash === hashApiKey(key) ? shop : undefined);
    },
  });
  return { ...authenticator, asked };
}

describe("createAuthenticator", () => {
  it.each([undefined, "", ["a", "b"], "x".repeat(257)])("takes %j for no key", (header) => {
    const { authenticate, asked } = authenticatorFor("good");
    expect(authenticate({}, header)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("asks once for a valid key, by its hash, whatever the connection", async () => {
    const { authenticate, asked } = authenticatorFor("good");
    const connection = {};
    expect(await authenticate(connection, "good")).toBe(shop);
    expect(authenticate(connection, "good")).toBe(shop);
    expect(authenticate({}, "good")).toBe(shop);
    expect(asked).toEqual([hashApiKey("good")]);
  });

  it("asks each time for any other key, on a connection that showed a good one too", async () => {
    const { authenticate, asked } = authenticatorFor("good");
    const connection = {};
    await authenticate(connection, "good");
    expect(await authenticate(connection, "bad")).toBeUndefined();
    expect(await authenticate(connection, "bad")).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it("asks anew after a change", async () => {
    const { authenticate, forget, asked } = authenticatorFor("good");
    const connection = {};
    await authenticate(connection, "good");
    forget();
    expect(await authenticate(connection, "good")).toBe(shop);
    expect(asked).toHaveLength(2);
  });

  it("does not remember what was read before a change", async () => {
    let answer: (application: Application | undefined) => void = () => {};
    const { authenticate, forget } = createAuthenticator({
      findByKeyHash: () => new Promise((resolve) => (answer = resolve)),
    });
    const connection = {};
    const finding = authenticate(connection, "good");
    forget();
    answer(shop);
    expect(await finding).toBe(shop);

    const asking = authenticate(connection, "good");
    answer(undefined);
    expect(await asking).toBeUndefined();
  });
});
