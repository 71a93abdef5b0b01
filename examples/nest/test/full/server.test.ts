import { payloads, signDelivery } from "@riskgate/testing";
import { describeSignUpApp } from "../../../test/sign-up-app.js";

describeSignUpApp("nest", { payloads, signDelivery }, { PLATFORM: "express" });
describeSignUpApp("nest", { payloads, signDelivery }, { PLATFORM: "fastify" });
