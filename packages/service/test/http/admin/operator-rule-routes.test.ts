import { describe, expect, it } from "vitest";
import { serveApi } from "../../support/served-api.js";

const NO_TOR = {
  name: "no Tor",
  when: { flags: { all: ["is_tor"] } },
  outcome: "reject",
  note: "abuse in May",
};
const OURS = { name: "ours", when: { domain: ["mailinator.test"] }, outcome: "allow" };

describe("/admin/v1/rules", () => {
  it("gives the rules that were put, and none at first", async () => {
    const { admin } = await serveApi();
    expect(await admin("GET", "/rules")).toEqual({ status: 200, body: { rules: [] } });
    const put = await admin("PUT", "/rules", { rules: [NO_TOR, OURS] });
    expect(put).toEqual({ status: 200, body: { count: 2 } });
    expect((await admin("GET", "/rules")).body).toEqual({ rules: [NO_TOR, OURS] });
  });

  it("puts them in use at once", async () => {
    const { admin, get } = await serveApi();
    const scores = async () => {
      const answers = [
        await get("/v1/ips/185.220.101.1"),
        await get("/v1/emails/ada@mailinator.test"),
      ];
      return answers.map(({ body }) => (JSON.parse(body) as { risk_score: number }).risk_score);
    };
    expect(await scores()).toEqual([60, 50]);
    await admin("PUT", "/rules", { rules: [NO_TOR, OURS] });
    expect(await scores()).toEqual([81, 40]);
    await admin("PUT", "/rules", { rules: [] });
    expect(await scores()).toEqual([60, 50]);
  });

  it("refuses an invalid rule, with its position and the reason", async () => {
    const { admin } = await serveApi();
    const { status, body } = await admin("PUT", "/rules", {
      rules: [{ ...NO_TOR, when: { country: ["XX"] } }],
    });
    expect(status).toBe(400);
    expect(body["details"]).toBe(
      "the operator rules are not valid: /rules/0/when/country/0: " +
        'expected a country code such as "DE" or "DEU", given "XX"',
    );
  });
});

describe("/admin/v1/explain", () => {
  it("names the rule that set the score", async () => {
    const { admin } = await serveApi();
    await admin("PUT", "/rules", { rules: [NO_TOR] });
    const { body } = await admin("GET", "/explain/ips/185.220.101.1");
    expect(body).toMatchObject({
      score: 81,
      signals: [{ name: "tor", adds: 60 }],
      rules: [{ name: "no Tor", outcome: "reject", note: "abuse in May", adds: 21 }],
      assessment: { is_tor: true, risk_score: 81 },
    });
  });

  it("names no rule where none holds", async () => {
    const { admin } = await serveApi();
    await admin("PUT", "/rules", { rules: [NO_TOR] });
    const { body } = await admin("GET", "/explain/emails/ada@mailinator.test");
    expect(body).toMatchObject({ score: 50, signals: [{ name: "disposable" }], rules: [] });
  });
});
