import { payloads, signDelivery } from "@riskgate/testing";
import { describeSignUpApp } from "../../../test/sign-up-app.js";

describeSignUpApp("hono", { payloads, signDelivery });
