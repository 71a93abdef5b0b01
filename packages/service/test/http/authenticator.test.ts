import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../src/http/authenticator.js";
import type { Application } from "../../src/model/application.js";
import { hashApiKey } from "../../src/storage/api-keys.js";

const shop = { id: "1" } as Application;

/** An authenticator over keys that a test may change, with the hashes that were asked for. */
function authenticatorFor(...keys: string[]) {
  const valid = new Map(keys.map((key) => [hashApiKey(key), shop]));
  const asked: (readonly string[])[] = [];
  const authenticator = createAuthenticator(
    {
      findByKeyHashes(hashes) {
        asked.push(hashes);
        return Promise.resolve(new Map([...valid].filter(([hash]) => hashes.includes(hash))));
      },
    },
    "lookup",
  );
  return { authenticator, asked, valid };
}

const known: ReadonlyMap<string, Application> = new Map([[hashApiKey("good"), shop]]);

/** An authenticator whose questions wait for an answer of the test. */
function unansweredAuthenticator() {
  const answers: ((found: ReadonlyMap<string, Application>) => void)[] = [];
  const authenticator = createAuthenticator(
    { findByKeyHashes: () => new Promise((resolve) => answers.push(resolve)) },
    "lookup",
  );
  const asked = (count: number) => expect.poll(() => answers.length).toBe(count);
  return { authenticator, answers, asked };
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
    expect(asked).toEqual([[hashApiKey("good")]]);
  });

  it("asks each time for any other key, on a connection that showed a good one too", async () => {
    const { authenticator, asked } = authenticatorFor("good");
    const connection = {};
    await authenticator.authenticate(connection, "good");
    expect(await authenticator.authenticate(connection, "bad")).toBeUndefined();
    expect(await authenticator.authenticate(connection, "bad")).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it("looks forgotten keys up again", async () => {
    const { authenticator, asked } = authenticatorFor("good");
    const connection = {};
    await authenticator.authenticate(connection, "good");
    authenticator.forget();
    expect(await authenticator.authenticate(connection, "good")).toBe(shop);
    expect(asked).toHaveLength(2);
  });

  it("asks once for all that it remembers when something has changed", async () => {
    const { authenticator, asked, valid } = authenticatorFor("good", "revoked");
    const connection = {};
    for (const key of ["good", "revoked"]) await authenticator.authenticate(connection, key);
    const changed = { id: "1", name: "New name" } as Application;
    valid.delete(hashApiKey("revoked"));
    valid.set(hashApiKey("good"), changed);
    await authenticator.refresh();
    expect(asked.at(-1)).toEqual([hashApiKey("good"), hashApiKey("revoked")]);
    expect(authenticator.authenticate(connection, "good")).toBe(changed);
    expect(await authenticator.authenticate(connection, "revoked")).toBeUndefined();
    expect(asked).toHaveLength(4);
  });

  it("uses the keys in memory while they cannot be reloaded", async () => {
    const answers: (Error | ReadonlyMap<string, Application>)[] = [];
    const authenticator = createAuthenticator(
      {
        async findByKeyHashes() {
          const answer = answers.shift()!;
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
      "lookup",
    );
    answers.push(known, new Error("the database is gone"));
    await authenticator.authenticate({}, "good");
    await expect(authenticator.refresh()).rejects.toThrow("the database is gone");
    expect(authenticator.authenticate({}, "good")).toBe(shop);
  });

  it.each(["refresh", "forget"] as const)(
    "does not remember what was read before a change (%s)",
    async (change) => {
      const { authenticator, answers, asked } = unansweredAuthenticator();
      const connection = {};
      const finding = authenticator.authenticate(connection, "good");
      await asked(1);
      const changing = authenticator[change]();
      if (change === "refresh") answers.pop()!(new Map());
      await changing;
      answers.pop()!(known);
      expect(await finding).toBe(shop);

      const asking = authenticator.authenticate(connection, "good");
      await asked(1);
      answers.pop()!(new Map());
      expect(await asking).toBeUndefined();
    },
  );

  it.each(["before", "after"])(
    "keeps a key that is found while it reads anew, be it answered %s that",
    async (order) => {
      for (const isAskedFirst of [true, false]) {
        const { authenticator, answers, asked } = unansweredAuthenticator();
        const find = () => authenticator.authenticate({}, "good");
        const first = isAskedFirst ? find() : undefined;
        if (first) await asked(1);
        const changing = authenticator.refresh();
        const finding = first ?? find();
        await asked(2);
        const [question, anew] = isAskedFirst ? [0, 1] : [1, 0];
        // It also reloads keys that are being looked up.
        const read = isAskedFirst ? known : new Map<string, Application>();
        if (order === "before") answers[question]?.(known);
        if (order === "before") await finding;
        answers[anew]?.(read);
        await changing;
        answers[question]?.(known);
        expect(await finding).toBe(shop);
        expect(authenticator.authenticate({}, "good")).toBe(shop);
      }
    },
  );

  it("goes by the later of two changes, whichever is read first", async () => {
    const { authenticator, answers, asked } = unansweredAuthenticator();
    const finding = authenticator.authenticate({}, "good");
    await asked(1);
    answers.pop()!(known);
    await finding;
    const changes = [authenticator.refresh(), authenticator.refresh()];
    answers.pop()!(new Map());
    answers.pop()!(known);
    await Promise.all(changes);
    const asking = authenticator.authenticate({}, "good");
    await asked(1);
    answers.pop()!(new Map());
    expect(await asking).toBeUndefined();
  });
});
