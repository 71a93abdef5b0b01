import { describe, expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../src/detection/detection-settings.js";
import { detectLogins } from "../../../src/detection/logins/detect-logins.js";
import { readOutcome } from "../../../src/detection/logins/outcome.js";
import { windowsOf } from "../../support/detection-state.js";
import { SECOND, START } from "../../support/open-intake.js";

const context = {
  thresholds: DETECTION_DEFAULTS.logins,
  providerRules: true,
  locate: () => ({ geo: {}, isTor: false }),
};
const MINUTE = 60 * SECOND;

interface Login {
  readonly account: string;
  readonly success: boolean;
  readonly device?: "known" | "new" | "revoked";
  readonly address?: string;
}

const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;

/** Detects in logins that arrive one after the other, and returns the events of stuffing. */
function application() {
  let windows = windowsOf();
  let count = 0;
  let at = START;
  const stored = new Map<string, { map: string; key: string; value: unknown }>();
  return {
    wait: (time: number) => void (at += time),
    logIn: ({ address = elsewhere(count), device = "new", ...login }: Login) => {
      count++;
      at += SECOND / 10;
      const outcome = readOutcome({ ...login, address, device }, at);
      const found = detectLogins(windows, "shop", [outcome], context);
      for (const change of found.windows) stored.set(`${change.map} ${change.key}`, change);
      windows = windowsOf([...stored.values()]);
      return (found.detected[0] ?? []).filter(({ kind }) => kind === "auth_scan_success");
    },
  };
}

const fails = (index: number): Login => ({ account: `user${index}@x.y`, success: false });

describe("stuffed logins", () => {
  it("name each account that is entered, also before the attack was noticed", () => {
    const { logIn } = application();
    expect(logIn({ account: "early@x.y", success: true })).toEqual([]);
    const events = Array.from({ length: 20 }, (_, index) => logIn(fails(index)));
    expect(events.slice(0, 19).flat()).toEqual([]);
    expect(events[19]).toMatchObject([{ accounts: ["early@x.y"], ips: [], highRisk: false }]);
    expect(logIn({ account: "late@x.y", success: true })).toMatchObject([
      {
        accounts: ["late@x.y"],
        description: "Login to late@x.y from a new device while many other logins fail",
      },
    ]);
    expect(logIn(fails(21))).toEqual([]);
  });

  it("name no account that logs in from a known device or network", () => {
    const { logIn, wait } = application();
    logIn({ account: "ann@x.y", success: true, address: "9.9.9.9" });
    wait(20 * MINUTE);
    for (let index = 0; index < 30; index++) logIn(fails(index));
    expect(logIn({ account: "ann@x.y", success: true, address: "9.9.9.9" })).toEqual([]);
    expect(logIn({ account: "bob@x.y", success: true, device: "known" })).toEqual([]);
    expect(logIn({ account: "eve@x.y", success: true, device: "revoked" })).toHaveLength(1);
  });

  it("need failures of devices that are not known", () => {
    const { logIn } = application();
    for (let index = 0; index < 100; index++) logIn({ ...fails(index), device: "known" });
    expect(logIn({ account: "ann@x.y", success: true })).toEqual([]);
  });

  it("need more failures than people make", () => {
    const { logIn } = application();
    for (let index = 0; index < 200; index++) {
      expect(logIn({ account: `user${index}@x.y`, success: index % 5 > 0 })).toEqual([]);
    }
  });

  it("need more failures than usual", () => {
    const { logIn, wait } = application();
    for (let part = 0; part < 10; part++) {
      wait(10 * MINUTE);
      for (let index = 0; index < 15; index++) logIn(fails(part * 15 + index));
    }
    wait(10 * MINUTE);
    for (let index = 0; index < 40; index++) logIn(fails(index));
    expect(logIn({ account: "ann@x.y", success: true })).toEqual([]);
    for (let index = 0; index < 60; index++) logIn(fails(index));
    expect(logIn({ account: "bob@x.y", success: true })).toHaveLength(1);
  });

  it("end with the window", () => {
    const { logIn, wait } = application();
    for (let index = 0; index < 100; index++) logIn(fails(index));
    wait(20 * MINUTE);
    expect(logIn({ account: "ann@x.y", success: true })).toEqual([]);
  });
});
