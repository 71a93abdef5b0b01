import { createRiskClient, type RiskClient } from "@riskgate/core";
import { createLoginWatch, createRequestGate } from "@riskgate/core/adapter";
import type { OnApplicationShutdown } from "@nestjs/common";
import type {
  LoginWatchOptions,
  RiskGateModuleOptions,
  RiskGateOptions,
} from "./module-options.js";

/** Options that the guards of an application share, and the client that was made for them. */
export class GateSettings implements OnApplicationShutdown {
  /** The same for each copy of this package; Nest names it if the module is missing. */
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
    // Made here as well as for each route, so that a wrong option fails at start without any route.
    createRequestGate(this.gate, "RiskGateModule");
    if (loginWatch) createLoginWatch(loginWatch);
  }

  /** Called once the server has stopped, so that the last requests still have their lookups. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client?.close();
  }
}
