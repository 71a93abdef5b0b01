import { createEngine } from "@riskgate/engine";
import { riskGate } from "@riskgate/fastify";
import fastify from "fastify";

/**
 * A number of routes, each with a gate of its own, as in an application that guards many.
 *
 * @param {string} variant "guarded 100" or "bare 100".
 */
export default async function serve(variant) {
  const [kind, count] = variant.split(" ");
  const app = fastify();
  if (kind === "guarded") {
    const lookup = await createEngine();
    await app.register(riskGate, { lookup, trustedProxies: ["127.0.0.1"] });
  }
  for (let route = 1; route <= Number(count); route++) {
    const config = kind === "guarded" ? { riskGate: { rejectAbove: 80 } } : {};
    app.post(`/login/${route}`, { config }, (_request, reply) => reply.code(204).send());
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}
