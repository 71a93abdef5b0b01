import { forbidden, notFound, permanentRedirect, redirect } from "next/navigation.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { loginWatch, type Reporter } from "../src/index.js";

/** Reports what comes of a login whose handler ends in this way. */
async function successesOf(end: () => Response): Promise<readonly boolean[]> {
  const successes: boolean[] = [];
  const reporter = {
    login: ({ success }: { success: boolean }) => void successes.push(success),
  } as unknown as Reporter;
  const clientAddress = () => "8.8.8.8";
  const route = loginWatch({ reporter, clientAddress }, async (request: Request) => {
    await request.json();
    return end();
  });
  const body = JSON.stringify({ email: "ann@shop.example" });
  await route(new Request("https://app.example/login", { method: "POST", body })).catch(() => {});
  return successes;
}

describe("loginWatch for Next.js", () => {
  it("takes redirects that are thrown for successes", async () => {
    expect(await successesOf(() => redirect("/home;1"))).toEqual([true]);
    expect(await successesOf(() => permanentRedirect("/home"))).toEqual([true]);
  });

  it("takes the other errors of Next.js for failures", async () => {
    process.env["__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS"] = "true";
    onTestFinished(() => void delete process.env["__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS"]);
    expect(await successesOf(notFound)).toEqual([false]);
    expect(await successesOf(forbidden)).toEqual([false]);
    const earlier = Object.assign(new Error("of Next.js 14"), { digest: "NEXT_NOT_FOUND" });
    const thrown = successesOf(() => {
      throw earlier;
    });
    expect(await thrown).toEqual([false]);
  });

  it("reports nothing if a handler fails", async () => {
    const thrown = successesOf(() => {
      throw new Error("failed on purpose");
    });
    expect(await thrown).toEqual([]);
  });
});
