import { execFileSync } from "node:child_process";
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { sign, verify } from "@riskgate/core";
import { quick } from "../lib/settings.mjs";
import { timed } from "../lib/timing.mjs";

const SECRET = "the-signing-secret";

/** Largest ratio to the floor, by the size of the body in bytes. */
const AT_MOST = new Map([
  [838, 0.6],
  [2048, 0.6],
  [8192, 0.85],
  [65_536, 1],
  [262_144, 1.03],
]);

/** @param {number} bytes */
export function signatures(bytes) {
  const body = Buffer.alloc(bytes, '[{"service_payload_type":"test"}]');
  const signature = sign(body, SECRET);
  const secretKey = createSecretKey(Buffer.from(SECRET));
  /** @param {string | import("node:crypto").KeyObject} key */
  const plain = (key) => {
    const digest = createHmac("sha256", key).update(body).digest();
    return must(timingSafeEqual(digest, Buffer.from(signature, "hex")));
  };
  const atMost = /** @type {number} */ (AT_MOST.get(bytes));
  return {
    name: `signature of ${bytes < 2048 ? `${bytes} bytes` : `${bytes / 1024} KiB`}`,
    figure: "cpuUs",
    baseline: "floor",
    async open() {
      if (verify(body, signature.replace(/./, "x"), SECRET)) throw new Error("verifies anything");
      const variants = [
        { name: "floor", measure: timed(() => plain(SECRET)) },
        { name: "floor with a KeyObject", measure: timed(() => plain(secretKey)) },
        { name: "riskgate", measure: timed(() => must(verify(body, signature, SECRET))) },
      ];
      return { variants };
    },
    targets: [
      {
        id: bytes <= 2048 ? "1a" : "1b",
        variant: "riskgate",
        against: "floor",
        figure: "cpuUs",
        as: /** @type {const} */ ("ratio"),
        atMost,
      },
    ],
  };
}

/** What the machine can do: the command of OpenSSL, on a body of the size of 1,000 events. */
export function hmacLimit() {
  const bytes = 838_000;
  const body = Buffer.alloc(bytes, "x");
  const signature = sign(body, SECRET);
  const measure = timed(() => must(verify(body, signature, SECRET)));
  return {
    name: "HMAC of 838 kB",
    figure: "MBps",
    higher: true,
    baseline: "riskgate",
    async open() {
      const riskgate = { name: "riskgate", measure: async () => perSecond(bytes, await measure()) };
      const limit = { name: "openssl speed", measure: () => ({ MBps: opensslSpeed(bytes) }) };
      return { variants: hasOpenssl ? [riskgate, limit] : [riskgate] };
    },
    targets: hasOpenssl
      ? [
          {
            id: "1e",
            variant: "riskgate",
            against: "openssl speed",
            figure: "MBps",
            as: /** @type {const} */ ("ratio"),
            atLeast: 0.95,
          },
        ]
      : [],
  };
}

/** Without the command the case shows riskgate alone, and judges nothing. */
const hasOpenssl = (() => {
  try {
    return execFileSync("openssl", ["version"], { encoding: "utf8" }).startsWith("OpenSSL");
  } catch {
    return false;
  }
})();

/** @param {number} bytes @returns {number} MB (10^6 bytes) a second. */
function opensslSpeed(bytes) {
  const seconds = quick ? "1" : "2";
  const options = ["-hmac", "sha256", "-bytes", String(bytes), "-seconds", seconds, "-mr"];
  const stdio = /** @type {const} */ (["ignore", "pipe", "ignore"]);
  const output = execFileSync("openssl", ["speed", ...options], { encoding: "utf8", stdio });
  const speed = Number(/^\+F:.*:([\d.]+)$/m.exec(output)?.[1]);
  if (!(speed > 0)) throw new Error(`openssl speed says ${output}`);
  return speed / 1e6;
}

/** @param {number} bytes @param {Record<string, number>} figures */
function perSecond(bytes, { cpuUs = NaN }) {
  return { MBps: bytes / cpuUs };
}

/** @param {boolean} isValid */
function must(isValid) {
  if (!isValid) throw new Error("a good signature is refused");
  return isValid;
}
