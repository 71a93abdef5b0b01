import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";

interface LoginProcess {
  logIn(
    this: void,
    account: string,
    login: { readonly ip: string; readonly password: string; readonly cookie?: string },
  ): Promise<{ readonly status: number; readonly cookie: string }>;
}

async function startLoginProcess(program: string, settings: object): Promise<LoginProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const url = `http://127.0.0.1:${line.replace("port ", "")}/login`;
  return {
    async logIn(email, { ip, password, cookie }) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-forwarded-for": ip,
          ...(cookie !== undefined && { cookie }),
        },
        body: JSON.stringify({ email, password }),
      });
      await response.arrayBuffer();
      const [set = ""] = response.headers.getSetCookie();
      return { status: response.status, cookie: set.split(";", 1).join("") };
    },
  };
}

const TRIES = 1_500;
const OWNERS = 30;
const AT_ONCE = 30;

const accountOf = (index: number): string => `user${index}@shop.example`;
const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;

/**
 * Sends 1,500 logins from 1,500 networks to three processes with one store, 15 of them right, while
 * owners log in with known devices. Returns how many reached the password, and how many were right.
 */
export async function stuffCredentials(program: string, settings: object) {
  const start = () => startLoginProcess(program, settings);
  const processes = await Promise.all([start(), start(), start()]);
  const at = (index: number): LoginProcess => processes[index % 3]!;
  const owners = Array.from({ length: OWNERS }, (_, index) => ({
    account: `owner${index}@shop.example`,
    ip: `84.1.${index}.1`,
  }));
  const cookies = await Promise.all(
    owners.map(async ({ account, ip }, index) => {
      const { status, cookie } = await at(index).logIn(account, { ip, password: "right" });
      expect(status).toBe(204);
      return cookie;
    }),
  );
  let reached = 0;
  let taken = 0;
  for (let first = 0; first < TRIES; first += AT_ONCE) {
    const tries = Array.from({ length: AT_ONCE }, async (_, offset) => {
      const index = first + offset;
      const password = index % 100 === 7 ? "right" : "wrong";
      const { status } = await at(index).logIn(accountOf(index), {
        ip: elsewhere(index),
        password,
      });
      expect([204, 401, 403]).toContain(status);
      if (status !== 403) reached++;
      if (status === 204) taken++;
    });
    await Promise.all(tries);
    const owner = (first / AT_ONCE) % OWNERS;
    const { account, ip } = owners[owner]!;
    // Another process than the one that set the cookie.
    const login = { ip, password: "right", cookie: cookies[owner]! };
    const again = await at(owner + 1).logIn(account, login);
    expect(again.status).toBe(204);
    cookies[owner] = again.cookie;
  }
  return { reached, taken };
}
