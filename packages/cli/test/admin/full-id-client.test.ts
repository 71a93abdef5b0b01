import { describe, expect, it } from "vitest";
import { serve } from "../support/receiver.js";
import { runCommand } from "../support/run-command.js";

const OTHER = "0d9c5fffffffffffffffffffffffffff";
const IDS = ["0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b", OTHER];

/** Serves deliveries with these ids, and returns what retries of them print. */
async function serveDeliveries() {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const { url: path = "" } = request;
    asked.push(`${request.method} ${path.replace("/admin/v1", "")}`);
    const id = IDS.find((one) => path.includes(one));
    const isList = path.endsWith("/deliveries?limit=1000");
    const answer = isList
      ? { deliveries: IDS.map((one) => ({ id: one })) }
      : id
        ? { delivery: { id, state: "pending" } }
        : { details: "No such resource" };
    response.writeHead(isList || id ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  const env = { RISKGATE_ADMIN_URL: url, RISKGATE_ADMIN_TOKEN: "administration-token-1" };
  const retry = (id: string) => runCommand(["deliveries", "retry", id], { env });
  return { asked, retry };
}

describe("a shortened id", () => {
  it("stands for the only id that begins with it", async () => {
    const { asked, retry } = await serveDeliveries();
    expect(await retry("0d9c4")).toEqual({
      status: 0,
      stdout: `${IDS[0]} is pending\n`,
      stderr: "",
    });
    expect(asked).toEqual([
      "POST /deliveries/0d9c4/retry",
      "GET /deliveries?limit=1000",
      `POST /deliveries/${IDS[0]}/retry`,
    ]);
  });

  it("is refused with exit code 2 if several ids begin with it", async () => {
    const { asked, retry } = await serveDeliveries();
    const { status, stdout, stderr } = await retry("0d9c");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(
      "several deliveries have an id that begins with 0d9c (CONFIG_INVALID)",
    );
    expect(asked).toHaveLength(2);
  });

  it("is not looked for if the id is whole", async () => {
    const { asked, retry } = await serveDeliveries();
    expect((await retry(OTHER)).status).toBe(0);
    expect((await retry("f".repeat(32))).status).toBe(2);
    expect(asked).toHaveLength(2);
  });
});
