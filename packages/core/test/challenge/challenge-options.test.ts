import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/base/options.js";
import { readChallenge } from "../../src/challenge/challenge-options.js";
import { createMemoryUses } from "../../src/challenge/single-use.js";
import { createMemorySeenStore } from "../../src/webhook/seen-store.js";
import { thrown } from "../support/caught.js";
import { SECRET } from "../support/token-attacks.js";

const read = (challenge?: unknown) =>
  readOptions("riskGate", { challenge }, (options) => readChallenge(options, 800));

describe("readChallenge", () => {
  it("is off where it is left out, and takes the time of the gate", () => {
    expect(read()).toBeUndefined();
    expect(read(false)).toBeUndefined();
    expect(read({ secrets: SECRET })?.timeoutMs).toBe(800);
    expect(read({ secrets: [SECRET], timeoutMs: 5000 })?.timeoutMs).toBe(5000);
    const seen = createMemoryUses();
    expect(read({ secrets: SECRET, seen })?.uses).toBe(seen);
  });

  it.each<[object, string]>([
    [
      {},
      "`challenge.secrets` must be a text of at least 32 bytes, or a list of them, given nothing",
    ],
    [
      { secrets: [] },
      "`challenge.secrets` must be a text of at least 32 bytes, or a list of them, given nothing",
    ],
    [
      { secrets: "short-secret" },
      "`challenge.secrets` must be a text of at least 32 bytes, or a list of them, given a string",
    ],
    [
      { secrets: [SECRET, " ".repeat(32)] },
      "`challenge.secrets[1]` must be a text of at least 32 bytes, or a list of them, given a string",
    ],
    [
      { secrets: [SECRET, SECRET] },
      "`challenge.secrets` must be secrets that differ from each other, given a list",
    ],
    [
      { secrets: SECRET, ttlMs: 3_600_001 },
      "`challenge.ttlMs` must be a time of 1 to 3600000 milliseconds, given 3600001",
    ],
    ...[
      {},
      { use() {}, solve() {} },
      createMemorySeenStore(),
      { ...createMemoryUses(), evicts: true },
    ].map((seen): [object, string] => [
      { secrets: SECRET, seen },
      "`challenge.seen` must be a store that never evicts: `createRedisSingleUseStore()`, given an object",
    ]),
    [
      { secret: SECRET, secrets: SECRET },
      "`challenge.secret`: unknown option; did you mean `secrets`?",
    ],
  ])("says of %j what to do, and shows no secret", (challenge, message) => {
    expect(thrown(() => read(challenge)).message).toBe(message);
  });
});
