import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../../src/service.js";
import { openStorage } from "../../../../src/storage/open-storage.js";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { CONSOLE_TOKEN, signIn, visit } from "../../../support/console-room.js";
import { temporaryDirectory } from "../../../support/temporary-storage.js";

const THOUSANDS = 100;

/** A data directory with so many deliveries, nearly all of which have arrived. */
async function fill(dataDir: string): Promise<void> {
  const storage = await openStorage(dataDir);
  const { id } = await storage.applications.create({ name: "Shop" });
  const body = Buffer.from(`[{"service_payload_type":"test","id":"${"x".repeat(500)}"}]`);
  const attempt = { durationMs: 3, status: 200, error: null, location: null, excerpt: null };
  for (let thousand = 0; thousand < THOUSANDS; thousand++) {
    const made = await storage.deliveries.create(
      id,
      Array.from({ length: 1_000 }, () => ({ body, seqs: [] })),
    );
    const records = made.slice(1).map((delivery) => ({
      delivery,
      attempt: { ...attempt, startedAt: delivery.createdAt },
      result: { state: "delivered" as const },
    }));
    await storage.deliveries.recordAttempts(records);
  }
  await storage.close();
}

describe.skipIf(!browserPath)(
  browserPath ? "with 100,000 deliveries" : "with 100,000 deliveries: no chromium",
  () => {
    const browser = sharedBrowser();

    it("shows them page by page", async () => {
      const dataDir = await temporaryDirectory();
      await fill(dataDir);
      const service = await createService({ dataDir, adminToken: CONSOLE_TOKEN, dispatch: false });
      onTestFinished(() => service.close());
      const { adminUrl: url } = await service.listen({ port: 0, host: "127.0.0.1" });
      const { page } = await visit(browser(), { url });
      await page.goto("/console/");
      await signIn(page);
      await page.getByRole("link", { name: "99,900 deliveries delivered" }).click();
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(50);
      await page.getByRole("button", { name: "Load more" }).click();
      await expect.poll(() => rows.count()).toBe(100);
      await page.getByLabel("State").selectOption("pending");
      await expect.poll(() => rows.filter({ hasText: "pending" }).count()).toBe(50);
      await page.getByRole("button", { name: "Load more" }).click();
      await expect.poll(() => rows.count()).toBe(100);
      await page.getByRole("button", { name: "Load more" }).click();
      await expect.poll(() => page.getByRole("button", { name: "Load more" }).count()).toBe(0);
    });
  },
);
