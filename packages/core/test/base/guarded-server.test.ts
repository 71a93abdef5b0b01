import { describe, expect, it } from "vitest";
import { GuardedServer, type GuardedServerSettings } from "../../src/base/guarded-server.js";
import { fakeClock } from "../support/fake-clock.js";

/** A server that can be switched off, behind a circuit breaker; with the commands that reached it. */
function stage(settings: Partial<GuardedServerSettings> = {}) {
  const reached: string[] = [];
  const downs: unknown[] = [];
  const state = { isDown: false };
  const command =
    (name: string): (() => Promise<string>) =>
    async () => {
      reached.push(name);
      if (state.isDown) throw new Error(`${name} failed`);
      return name;
    };
  const server = new GuardedServer({
    name: "Redis",
    timeoutMs: 100,
    onDown: (cause) => void downs.push(cause),
    ...settings,
  });
  const ask = (name: string): Promise<unknown> =>
    server.run(command(name)).catch((error: unknown) => (error as Error).message);
  return { server, state, reached, downs, ask, command };
}

const REFUSED = "Redis did not respond recently; the command was not sent";

describe("GuardedServer", () => {
  it("sends the next command as a trial after the cool-down", async () => {
    const pass = fakeClock();
    const { server, state, reached, downs, ask } = stage({ coolDownMs: 5_000 });
    state.isDown = true;
    expect(await ask("first")).toBe("first failed");
    expect([await ask("second"), server.isOpen]).toEqual([REFUSED, true]);
    await pass(5_000);
    expect(server.isOpen).toBe(false);
    expect([await ask("trial"), await ask("third")]).toEqual(["trial failed", REFUSED]);
    state.isDown = false;
    await pass(5_000);
    expect([await ask("trial"), await ask("fourth")]).toEqual(["trial", "fourth"]);
    expect(reached).toEqual(["first", "trial", "trial", "fourth"]);
    expect(downs).toEqual([new Error("first failed")]);
  });

  it("lets a ping be the trial, at once and then every cool-down", async () => {
    const pass = fakeClock();
    const { state, reached, ask, command } = stage({ ping: () => command("ping")() });
    state.isDown = true;
    expect(await ask("first")).toBe("first failed");
    await pass(0);
    expect([await ask("second"), await ask("third")]).toEqual([REFUSED, REFUSED]);
    await pass(250);
    state.isDown = false;
    expect([await ask("fourth"), await ask("fifth")]).toEqual(["fourth", "fifth"]);
    expect(reached).toEqual(["first", "ping", "ping", "fourth", "fifth"]);
  });

  it("waits for a ping, but no longer than it should", async () => {
    const pass = fakeClock();
    let answer!: () => void;
    const { server, state, command } = stage({
      waitMs: 50,
      ping: () => new Promise<void>((resolve) => (answer = resolve)),
    });
    state.isDown = true;
    await server.run(command("first")).catch(() => {});
    state.isDown = false;
    const late = server.run(command("late")).catch((error: unknown) => (error as Error).message);
    await pass(50);
    expect(await late).toBe(REFUSED);
    const waiting = server.run(command("waiting"));
    answer();
    expect(await waiting).toBe("waiting");
  });

  it("does not trust a ping that takes longer than a command may", async () => {
    const pass = fakeClock();
    let answer!: () => void;
    const ping = (): Promise<void> => new Promise((resolve) => (answer = resolve));
    const { state, ask } = stage({ ping });
    state.isDown = true;
    await ask("first");
    state.isDown = false;
    await pass(101);
    answer();
    await pass(0);
    expect(await ask("second")).toBe(REFUSED);
  });

  it("rejects a command that takes too long, and reports it to every user once", async () => {
    const pass = fakeClock();
    const { server, downs } = stage();
    const others: unknown[] = [];
    server.alsoReport((cause) => void others.push(cause));
    const hanging = [1, 2].map(() =>
      server.run(() => new Promise(() => {})).catch((error: unknown) => (error as Error).message),
    );
    await pass(100);
    expect(await Promise.all(hanging)).toEqual(Array(2).fill("no response within 100 ms"));
    expect([downs.length, others.length]).toEqual([1, 1]);
  });
});
