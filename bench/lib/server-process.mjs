const [, , module = "", variant = ""] = process.argv;

process.once("disconnect", () => process.exit(1));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
try {
  const { default: serve } = await import(module);
  process.send?.({ port: (await serve(variant)).address().port });
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.stack : String(error) });
}
