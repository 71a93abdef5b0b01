import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import { createMemoryDeviceStore, type DeviceStore } from "../../src/device/device-store.js";
import { createDevices, type DeviceOptions } from "../../src/device/devices.js";
import type { CookieResponse, DeviceTry } from "../../src/model/devices.js";

const SECRET = "device-secret-of-at-least-32-bytes";
const OTHER = "another-secret-of-at-least-32-bytes";
const ANN = "ann@shop.example";
const DAY_MS = 24 * 3_600_000;

/** Devices on a clock that the test sets. */
function open(more: Partial<DeviceOptions> = {}) {
  const clock = { nowMs: 1_750_000_000_000 };
  const now = () => clock.nowMs;
  const make = (options: Partial<DeviceOptions> = {}) =>
    createDevices({ secrets: SECRET, now, ...more, ...options });
  return { clock, make, devices: make() };
}

async function lineOf(devices: ReturnType<typeof createDevices>, account = ANN): Promise<string> {
  const headers = new Headers();
  await devices.remember(headers, account);
  return headers.getSetCookie().join();
}

const cookieOf = async (devices: ReturnType<typeof createDevices>, account = ANN) =>
  (await lineOf(devices, account)).split(";", 1).join("");

/** One login, which fails unless it is said to succeed. */
async function logIn(
  devices: ReturnType<typeof createDevices>,
  cookie: string,
  { account = ANN, fails = false } = {},
): Promise<DeviceTry["standing"]> {
  const made = await devices.tryOf({ headers: { cookie } }, account);
  made.end(fails);
  return made.standing;
}

describe("createDevices", () => {
  it("refuses options by which it would protect nobody", () => {
    const refused = (options: object): string => {
      try {
        createDevices(options as DeviceOptions);
      } catch (error) {
        return (error as RiskGateError).message;
      }
      return "accepted";
    };
    const store = createMemoryDeviceStore();
    expect(refused({})).toMatch(/`secrets` must be/);
    expect(refused({ secrets: "short" })).toMatch(/`secrets\[0\]` must be at least 32 bytes/);
    expect(refused({ secrets: [SECRET, { id: "b", value: "short" }] })).toMatch(/secrets\[1\]/);
    expect(refused({ secrets: SECRET, maxFailures: 0 })).toMatch(/maxFailures/);
    expect(refused({ secrets: SECRET, store: { ...store, evicts: true } })).toMatch(/never evicts/);
    expect(refused({ secrets: SECRET, store: {} })).toMatch(/never evicts/);
    expect(refused({ secrets: SECRET, ttlMs: 401 * DAY_MS })).toMatch(/ttlMs/);
    expect(refused({ secrets: SECRET, insecur: true })).toMatch(/did you mean `insecure`/);
  });

  it("knows any spelling of the mailbox, and no other mailbox of the same provider", async () => {
    const { devices } = open();
    const cookie = await cookieOf(devices);
    expect(await logIn(devices, cookie, { account: "ANN@Shop.example " })).toBe("known");
    expect(await logIn(devices, cookie, { account: "ann+x@shop.example" })).toBe("new");
    const user = await cookieOf(devices, "user-42");
    expect(await logIn(devices, user, { account: "user-42" })).toBe("known");
    expect(await logIn(devices, user, { account: "user-43" })).toBe("new");
  });

  it("keeps several accounts of a browser apart, and bounds their cookies", async () => {
    const { devices, clock } = open();
    const cookies: string[] = [];
    for (let index = 0; index < 20; index++) {
      clock.nowMs += 1_000;
      cookies.push(await cookieOf(devices, `user${index}@shop.example`));
    }
    const cookie = cookies.toReversed().join("; ");
    for (let index = 0; index < 16; index++) {
      expect(await logIn(devices, cookie, { account: `user${index}@shop.example` })).toBe("known");
    }
    const removed = devices.surplus({ headers: { cookie: `a=1; ${cookie}; b=2` } });
    const oldest = cookies.slice(0, 4).map((one) => one.split("=", 1)[0]);
    expect(removed.toSorted()).toEqual(
      oldest
        .map((name) => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`)
        .toSorted(),
    );
    expect(devices.surplus({ headers: { cookie: cookies.slice(4).join("; ") } })).toEqual([]);
    expect(devices.surplus({ headers: {} })).toEqual([]);
  });

  it("expires a cookie after `ttlMs`, and refuses one from the future", async () => {
    const { devices, clock } = open();
    const cookie = await cookieOf(devices);
    clock.nowMs += 180 * DAY_MS - 1;
    expect(await logIn(devices, cookie)).toBe("known");
    clock.nowMs += 1;
    expect(await logIn(devices, cookie)).toBe("new");
    clock.nowMs -= 181 * DAY_MS;
    expect(await logIn(devices, cookie)).toBe("new");
  });

  it("sets a cookie without Secure only if it is told so", async () => {
    const { make } = open();
    const insecure = make({ insecure: true });
    const line = await lineOf(insecure);
    expect(line).toMatch(/^riskgate-device-.*; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = line.split(";", 1).join("");
    expect(await logIn(insecure, cookie)).toBe("known");
    expect(await logIn(make(), cookie)).toBe("new");
  });

  it("holds no personal data", async () => {
    const { devices } = open();
    const line = await lineOf(devices);
    expect(line).not.toMatch(/ann|shop|example/i);
  });
});

describe("rotation of secrets", () => {
  it("signs with the first valid one, and verifies with each", async () => {
    const { make, clock } = open();
    const before = await cookieOf(make());
    const rotated = make({ secrets: [OTHER, SECRET] });
    const after = await cookieOf(rotated);
    expect(await logIn(rotated, before)).toBe("known");
    expect(await logIn(make({ secrets: OTHER }), before)).toBe("new");
    expect(await logIn(make({ secrets: OTHER }), after)).toBe("known");
    const notAfter = new Date(clock.nowMs + 1_000);
    const ending = make({ secrets: [OTHER, { id: "old", value: SECRET, notAfter }] });
    expect(await logIn(ending, before)).toBe("known");
    clock.nowMs += 1_001;
    expect(await logIn(ending, before)).toBe("new");
    const ended = make({ secrets: { id: "old", value: SECRET, notAfter } });
    await expect(async () => ended.remember(new Headers(), ANN)).rejects.toThrow("has ended");
  });

  it("clears cookies of every secret", async () => {
    const { make, clock } = open();
    const before = await cookieOf(make());
    const rotated = make({ secrets: [OTHER, SECRET], store: createMemoryDeviceStore() });
    clock.nowMs += 1;
    await rotated.clear(ANN);
    expect(await logIn(rotated, before)).toBe("new");
  });
});

describe("a budget of failures", () => {
  it("revokes a cookie after it, for good, and gives the next one a new budget", async () => {
    const { devices, clock } = open();
    const cookie = await cookieOf(devices);
    const standings = [];
    for (let index = 0; index < 12; index++) {
      standings.push(await logIn(devices, cookie, { fails: true }));
    }
    expect(standings).toEqual([...Array<string>(10).fill("known"), "revoked", "revoked"]);
    clock.nowMs += 100 * DAY_MS;
    expect(await logIn(devices, cookie)).toBe("revoked");
    expect(await logIn(devices, await cookieOf(devices))).toBe("known");
  });

  it("is not used up by logins that succeed, nor by a request that two gates judge", async () => {
    const { devices } = open({ maxFailures: 1 });
    const cookie = await cookieOf(devices);
    for (let index = 0; index < 5; index++) expect(await logIn(devices, cookie)).toBe("known");
    const request = { headers: { cookie } };
    const first = await devices.tryOf(request, ANN);
    expect(await devices.tryOf(request, ANN)).toBe(first);
    first.end(true);
    first.end(false);
    expect(await logIn(devices, cookie)).toBe("revoked");
  });

  it("bounds guesses that are sent at once", async () => {
    const { devices } = open({ maxFailures: 3 });
    const cookie = await cookieOf(devices);
    const sent = Array.from({ length: 100 }, async () =>
      devices.tryOf({ headers: { cookie } }, ANN),
    );
    const known = (await Promise.all(sent)).filter(({ standing }) => standing === "known");
    expect(known.length).toBe(3);
  });
});

describe("clear", () => {
  it("forgets an account's browsers, and none of another account", async () => {
    const { make, clock } = open();
    const devices = make({ store: createMemoryDeviceStore({ now: () => clock.nowMs }) });
    const ann = await cookieOf(devices);
    const bob = await cookieOf(devices, "bob@shop.example");
    await devices.clear(" ANN@shop.example");
    expect(await logIn(devices, ann)).toBe("new");
    expect(await logIn(devices, bob, { account: "bob@shop.example" })).toBe("known");
    // In the same millisecond: a handler that changes a password remembers this browser at once.
    expect(await logIn(devices, await cookieOf(devices))).toBe("known");
    clock.nowMs += 179 * DAY_MS;
    expect(await logIn(devices, ann)).toBe("new");
  });

  it("forgets the accounts of a security response", async () => {
    const { make } = open();
    const devices = make({ store: createMemoryDeviceStore() });
    const ann = await cookieOf(devices);
    const user = await cookieOf(devices, "user-42");
    const identifiers = [{ id: "user-42", email: ANN }, "eve@shop.example"];
    const response = { properties: { user_identifiers: identifiers } };
    expect(await devices.apply(response)).toBe(3);
    expect(await logIn(devices, ann)).toBe("new");
    expect(await logIn(devices, user, { account: "user-42" })).toBe("new");
  });

  it("needs a store", async () => {
    const { devices } = open();
    await expect(devices.clear(ANN)).rejects.toThrow("needs `store`");
    await expect(devices.apply({ properties: { user_identifiers: [ANN] } })).rejects.toThrow(
      "needs `store`",
    );
  });
});

describe("a store that fails", () => {
  const broken: readonly [string, Partial<DeviceStore>][] = [
    [
      "throws",
      {
        use: () => {
          throw new Error("down");
        },
      },
    ],
    ["rejects", { use: async () => Promise.reject(new Error("down")) }],
    ["hangs", { use: async () => new Promise<never>(() => {}) }],
    ["answers nonsense", { use: () => ({ tries: "1" }) as never }],
  ];
  it.each(broken)("that %s makes every device new, and reports it", async (_, part) => {
    const errors: unknown[] = [];
    const store = { ...createMemoryDeviceStore(), ...part };
    const { devices } = open({ store, timeoutMs: 5, onError: ({ code }) => errors.push(code) });
    expect(await logIn(devices, await cookieOf(devices))).toBe("new");
    expect(errors).toEqual(["STORE_FAILED"]);
  });

  it("makes `clear` reject", async () => {
    const clear = async () => Promise.reject(new Error("down"));
    const { devices } = open({ store: { ...createMemoryDeviceStore(), clear } });
    await expect(devices.clear(ANN)).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

describe("remember", () => {
  it("refuses what is not a response, and an account that is none", async () => {
    const { devices } = open();
    for (const given of [undefined, null, "x", {}, { headers: {} }, () => {}]) {
      await expect(async () =>
        devices.remember(given as unknown as CookieResponse, ANN),
      ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    for (const account of [undefined, "", "  ", "x".repeat(2_000)]) {
      await expect(async () =>
        devices.remember(new Headers(), account as string),
      ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    const fixed = Response.redirect("https://shop.example/", 302);
    await expect(async () => devices.remember(fixed, ANN)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("keeps other cookies in every form of a Lambda result", async () => {
    const { devices } = open();
    const listed = { statusCode: 200, cookies: ["a=1"] };
    await devices.remember(listed, ANN);
    expect(listed.cookies).toEqual(["a=1", expect.stringMatching(/^__Host-/)]);
    const several = { statusCode: 200, multiValueHeaders: { "set-cookie": ["a=1"] } };
    await devices.remember(several, ANN);
    expect(several.multiValueHeaders["set-cookie"]).toHaveLength(2);
    const single: { statusCode: number; headers?: Record<string, string> } = { statusCode: 200 };
    await devices.remember(single, ANN);
    expect(single.headers).toEqual({ "Set-Cookie": expect.stringMatching(/^__Host-/) });
    await expect(async () => devices.remember(single, ANN)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});
