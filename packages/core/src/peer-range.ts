import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { RiskGateError } from "./errors.js";

/**
 * Refuse a framework of a version that an adapter was not made for, at start instead of somewhere in
 * the middle of a request.
 *
 * @param supported First supported version of each supported major, such as `["4.18", "5.0"]`.
 * @param here An error made in the adapter: its stack is the one thing that tells an ES module and a
 * CommonJS module alike where they lie, and so which copy of the framework is theirs.
 * @throws {RiskGateError} CONFIG_INVALID naming the range. A framework that is not found there, as in
 * a bundle, is not checked.
 */
export function checkPeer(framework: string, supported: readonly string[], here: Error): void {
  const version = versionOf(framework, here);
  if (version === undefined) return;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = supported.some((first) => {
    const [firstMajor, firstMinor = 0] = first.split(".").map(Number);
    return major === firstMajor && minor >= firstMinor;
  });
  if (isSupported) return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `@riskgate/${framework} works with ${framework} ${supported.map((v) => `^${v}.0`).join(" or ")}, ` +
      `found ${version}`,
    { hint: `Install a supported version of ${framework}` },
  );
}

function versionOf(framework: string, here: Error): string | undefined {
  const [, location] =
    /(?:\(|at )((?:file:\/\/|\/|[A-Za-z]:\\)[^()\n]+):\d+:\d+/.exec(here.stack ?? "") ?? [];
  if (location === undefined) return undefined;
  const path = location.startsWith("file:") ? fileURLToPath(location) : location;
  try {
    const manifest: unknown = createRequire(path)(`${framework}/package.json`);
    return (manifest as { version?: string }).version;
  } catch {
    return undefined;
  }
}
