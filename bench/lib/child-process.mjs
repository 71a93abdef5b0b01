const [, , module = "", args = "[]"] = process.argv;

process.once("disconnect", () => process.exit(1));
try {
  const { default: work } = await import(module);
  process.send?.({ value: await work(...JSON.parse(args)) });
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.stack : String(error) });
}
