#!/usr/bin/env node
import { runCli } from "./run-cli.js";
import { createTerminal } from "./terminal/terminal.js";

// The reader of the output may stop early, like `head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

// Sets the code instead of exiting, so that a pipe receives the whole output.
void runCli(process.argv.slice(2), createTerminal(process)).then((code) => {
  process.exitCode = code;
});
