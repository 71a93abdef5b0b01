// A service in a process that a test kills. It writes its address to standard output.
const [bundled = "", dataDir = "", adminToken = ""] = process.argv.slice(2);
/** @type {typeof import("../../src/service.js")} */
const { createService } = await import(bundled);

const service = await createService({
  dataDir,
  adminToken,
  // What is queued stays in the outbox, to be counted.
  dispatch: false,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.once("SIGTERM", () => void service.close());
const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${adminUrl}\n`);
