import { describeIntegration } from "../support/describe-integration.js";

describeIntegration(["express", "fastify", "koa"], "module");
