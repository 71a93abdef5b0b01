import { describe, expect, it } from "vitest";
import {
  deviceStoreContract,
  type DeviceStoreHarness,
} from "../../../../tools/test/device-store-contract.js";
import { createMemoryDeviceStore } from "../../src/device/device-store.js";

const memory: DeviceStoreHarness = {
  name: "memory",
  async open() {
    let nowMs = 1_750_000_000_000;
    const store = createMemoryDeviceStore({ now: () => nowMs });
    const advance = async (ms: number): Promise<void> => void (nowMs += ms);
    return { store, other: store, advance, close: async () => {} };
  },
};

describe("createMemoryDeviceStore", () => {
  it.each(deviceStoreContract)("$id $title", async (check) => {
    await expect(check.run(memory)).resolves.toBeUndefined();
  });

  it("never drops a cleared account, and makes room for expired ones only", async () => {
    let nowMs = 1_750_000_000_000;
    const store = createMemoryDeviceStore({ maxEntries: 2, now: () => nowMs });
    await store.clear("ann", 1, 1_000);
    await store.clear("bob", 1, 5_000);
    expect(() => store.clear("eve", 1, 1_000)).toThrow(RangeError);
    nowMs += 2_000;
    await store.clear("eve", 1, 1_000);
    expect(await store.use({ device: "b", account: "bob", ttlMs: 1 })).toMatchObject({
      validFromMs: 1,
    });
  });
});
