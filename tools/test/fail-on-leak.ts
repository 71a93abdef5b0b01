// LIF-03: a listener added without end makes the run fail. Vitest itself fails on unhandled
// rejections and on uncaught exceptions, so that throwing here is enough.
process.on("warning", (warning) => {
  if (warning.name === "MaxListenersExceededWarning") throw warning;
});
