import { createRiskClient, type RiskClient } from "@riskgate/core";
import { createLoginWatch, createRequestGate } from "@riskgate/core/adapter";
import type { OnApplicationShutdown } from "@nestjs/common";
import type {
  LoginWatchOptions,
  RiskGateModuleOptions,
  RiskGateOptions,
} from "./module-options.js";

/** Options shared by an application's guards, and the client created from them. */
export class GateSettings implements OnApplicationShutdown {
  /** The same for all copies of this package; Nest reports it if the module is missing. */
  static readonly token: unique symbol = Symbol.for("RiskGateModule.forRoot of @riskgate/nest");

  readonly gate: RiskGateOptions;
  readonly loginWatch: LoginWatchOptions | undefined;
  readonly #client: RiskClient | undefined;

  /** @throws {RiskGateError} CONFIG_INVALID for any unusable option. */
  constructor(given: RiskGateModuleOptions) {
    const { loginWatch, ...options } = given;
    const { client, ...rest } = options;
    if (client && !options.lookup) this.#client = createRiskClient(client);
    this.gate = (this.#client ? { ...rest, lookup: this.#client } : options) as RiskGateOptions;
    this.loginWatch = loginWatch;
    // Also created here, so that an invalid option fails at startup even without a route.
    createRequestGate(this.gate, "RiskGateModule");
    if (loginWatch) createLoginWatch(loginWatch);
  }

  /** Called once the server has stopped, so that the last requests can finish their lookups. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client?.close();
  }
}
