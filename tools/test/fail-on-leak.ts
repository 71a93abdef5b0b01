// LIF-03: a leak of listeners fails the run. Vitest fails on uncaught exceptions, so throwing here is
// enough. One listener serves all files of a process.
const shared = globalThis as { failsOnLeak?: boolean };
if (!shared.failsOnLeak) {
  process.on("warning", (warning) => {
    if (warning.name === "MaxListenersExceededWarning") throw warning;
  });
}
shared.failsOnLeak = true;
