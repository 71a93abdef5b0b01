import { Body, Controller, HttpCode, Post, UnauthorizedException } from "@nestjs/common";
import type { LoginReport, Reporter } from "@riskgate/core";
import { createFakeLookup } from "@riskgate/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LoginWatch, RiskGate, RiskGateModule } from "../src/index.js";
import { adapters, createApp, type StartedApp, startApp } from "./start-app.js";

const logins: LoginReport[] = [];
// The rest of a reporter is no business of a watch.
const reporter = {
  login: (login: LoginReport) => void logins.push(login),
} as unknown as Reporter;

@Controller()
class Routes {
  @Post("login")
  @HttpCode(204)
  @LoginWatch()
  @RiskGate()
  logIn(@Body() { password }: { readonly password?: string }): void {
    if (password !== "right") throw new UnauthorizedException();
  }

  @Post("named")
  @LoginWatch({ account: () => "named@shop.example", success: () => true })
  named(): void {}
}

describe.each(adapters)("LoginWatch on %s", (_, adapter) => {
  let started: StartedApp;
  beforeEach(async () => {
    logins.length = 0;
    const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
    const module = RiskGateModule.forRoot({ lookup, loginWatch: { reporter } });
    started = await startApp(
      await createApp({ imports: [module], controllers: [Routes] }, adapter()),
    );
  });
  afterEach(async () => started.app.close());

  it("reports how a login ended by the answer, an exception included", async () => {
    const email = "ann@shop.example";
    expect((await started.post("/login", { email })).status).toBe(401);
    expect((await started.post("/login", { email, password: "right" })).status).toBe(204);
    await expect
      .poll(() => logins)
      .toMatchObject([
        { account: email, success: false },
        { account: email, success: true },
      ]);
  });

  it("takes the options of its route", async () => {
    await started.post("/named");
    await expect.poll(() => logins).toMatchObject([{ account: "named@shop.example" }]);
  });

  it("does not see what the gate below it refuses", async () => {
    expect((await started.post("/login", { email: "bad@shop.example" })).status).toBe(403);
    await started.post("/named");
    await expect.poll(() => logins).toMatchObject([{ account: "named@shop.example" }]);
  });
});
