// LIF-03: a leak of listeners fails the run. Vitest fails on uncaught exceptions, so throwing here is
// enough.
process.on("warning", (warning) => {
  if (warning.name === "MaxListenersExceededWarning") throw warning;
});
