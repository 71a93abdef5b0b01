/** @param {readonly number[]} values */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? NaN;
  const high = sorted[Math.ceil(middle)] ?? NaN;
  return { median: (low + high) / 2, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}

/** Returns the percentiles of latencies in microseconds. @param {readonly number[]} timesMs */
export function latencies(timesMs) {
  const sorted = Float64Array.from(timesMs).sort();
  /** @param {number} part */
  const percentile = (part) =>
    Math.round((sorted[Math.floor(part * (sorted.length - 1))] ?? 0) * 1e3);
  return { p50: percentile(0.5), p99: percentile(0.99) };
}

/** Formats three significant digits without an exponent. @param {number} value */
export function digits(value) {
  if (!Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(places, 4));
}

/** Returns the heading of a figure in tables. @param {string} name */
export const labelOf = (name) => LABELS[name] ?? name;

/** @type {Record<string, string>} */
const LABELS = {
  rps: "requests/s",
  cpuUs: "CPU us",
  cpuNs: "CPU ns",
  cpuMs: "CPU ms",
  usEach: "us each",
  p50: "p50 us",
  p99: "p99 us",
};
