// A sign-up route guarded by the embedded engine, and a signed webhook that closes the loop.
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { AppModule } from "./app-module.js";

const secret = process.env["RISKGATE_SIGNING_SECRET"];
if (!secret) throw new Error("Set RISKGATE_SIGNING_SECRET to the secret of the application");

const adapter = process.env["PLATFORM"] === "fastify" ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule.forRoot(secret), adapter, {
  logger: ["error", "warn"],
});
await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
console.log(`listening on ${await app.getUrl()}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
