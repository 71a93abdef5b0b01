#!/usr/bin/env node
import { runCli } from "./run-cli.js";
import { createTerminal } from "./terminal/terminal.js";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

// The code is set, and the process left to end by itself, so that a pipe gets all of the output.
void runCli(process.argv.slice(2), createTerminal(process)).then((code) => {
  process.exitCode = code;
});
