import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhooks } from "@octokit/webhooks";
import { verify as octokitVerify } from "@octokit/webhooks-methods";
import { createMemorySeenStore, createReceiver, parseDelivery, sign, verify } from "@riskgate/core";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import bolt from "@slack/bolt";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { makeDelivery } from "../lib/deliveries.mjs";
import { timed, timedAsync } from "../lib/timing.mjs";

// Selects the library's code for Node.
await import("@shopify/shopify-api/adapters/node");

const SECRET = "the-signing-secret";

/**
 * Lists the ways to turn a signed body into payloads, each with the signature it expects.
 *
 * @param {Buffer} body
 * @param {number} count Events in the body; each variant must find all of them.
 * @param {"ascii" | "utf8"} text
 */
export async function verifiers(body, count, text) {
  /** @type {Record<string, () => unknown>} */
  const direct = {
    floor: floor(body),
    "riskgate, verify and JSON.parse": riskgate(body, () => JSON.parse(body.toString())),
    "riskgate, verify and parseDelivery": riskgate(body, () => parseDelivery(body).elements),
    stripe: stripe(body),
    slack: slack(body),
    standardwebhooks: standard(body, StandardWebhook, "webhook"),
    svix: standard(body, SvixWebhook, "svix"),
  };
  /** @type {Record<string, () => Promise<unknown>>} */
  const later = {
    "riskgate, receive": receive(count, text),
    octokit: octokit(body),
    shopify: shopify(body),
  };
  await mustFind(count, { ...direct, ...later });
  return [
    ...Object.entries(direct).map(([name, work]) => ({ name, measure: timed(work) })),
    ...Object.entries(later).map(([name, work]) => ({ name, measure: timedAsync(work) })),
  ];
}

/**
 * Lists the receivers, from a body to the calls of its handlers.
 *
 * @param {number} count
 * @param {"ascii" | "utf8"} text
 */
export async function receivers(count, text) {
  const all = {
    "riskgate, receive": receive(count, text),
    "octokit, receive": octokitReceive(count, text),
  };
  await mustFind(count, all);
  return Object.entries(all).map(([name, work]) => ({ name, measure: timedAsync(work) }));
}

/** @param {number} count @param {Record<string, () => unknown>} all */
async function mustFind(count, all) {
  for (const [name, work] of Object.entries(all)) {
    const found = /** @type {{ length: number }} */ (await work()).length;
    if (found !== count) throw new Error(`${name} finds ${found} of ${count} events`);
  }
}

/** @param {Buffer} body */
function floor(body) {
  const signature = sign(body, SECRET);
  return () => {
    const digest = createHmac("sha256", SECRET).update(body).digest();
    if (!timingSafeEqual(digest, Buffer.from(signature, "hex"))) throw new Error("refused");
    return JSON.parse(body.toString());
  };
}

/** @param {Buffer} body @param {() => unknown} parse */
function riskgate(body, parse) {
  const signature = sign(body, SECRET);
  return () => {
    if (!verify(body, signature, SECRET)) throw new Error("refused");
    return parse();
  };
}

/** More deliveries than the seen store remembers, so that each counts as new when it repeats. */
const DELIVERIES = 64;

/**
 * Does everything that a route does with a body: calls the handler with its context, and remembers
 * handled payloads.
 *
 * @param {number} count
 * @param {"ascii" | "utf8"} text
 */
function receive(count, text) {
  const deliveries = differentBodies(count, text).map((body) => {
    return { body, signature: sign(body, SECRET), contentType: "application/json" };
  });
  let handled = 0;
  let next = 0;
  const on = { security_event: () => void handled++ };
  const seen = createMemorySeenStore({ maxEntries: (count * DELIVERIES) / 2 });
  const receiver = createReceiver({ secrets: SECRET, seen, on });
  return async () => {
    handled = 0;
    const delivery = /** @type {typeof deliveries[0]} */ (deliveries[next++ % DELIVERIES]);
    await receiver.receive(delivery);
    return { length: handled };
  };
}

/** @param {number} count @param {"ascii" | "utf8"} text */
function differentBodies(count, text) {
  return Array.from(
    { length: DELIVERIES },
    (_, series) => makeDelivery(count, { series, text }).body,
  );
}

/** @param {number} count @param {"ascii" | "utf8"} text */
function octokitReceive(count, text) {
  const deliveries = differentBodies(count, text).map((body) => {
    return { body, signature: `sha256=${sign(body, SECRET)}` };
  });
  let next = 0;
  const webhooks = new Webhooks({ secret: SECRET });
  let handled = 0;
  webhooks.onAny(({ payload }) => {
    for (const _ of /** @type {any} */ (payload)) handled++;
  });
  return async () => {
    handled = 0;
    const { body, signature } = /** @type {typeof deliveries[0]} */ (
      deliveries[next++ % DELIVERIES]
    );
    const payload = body.toString();
    await webhooks.verifyAndReceive({ id: "1", name: "push", payload, signature });
    return { length: handled };
  };
}

/** @param {Buffer} body */
function octokit(body) {
  const signature = `sha256=${sign(body, SECRET)}`;
  return async () => {
    const text = body.toString();
    if (!(await octokitVerify(SECRET, text, signature))) throw new Error("refused");
    return JSON.parse(text);
  };
}

/** @param {Buffer} body */
function stripe(body) {
  const { webhooks } = new Stripe("sk_test_unused");
  const header = webhooks.generateTestHeaderString({ payload: body.toString(), secret: SECRET });
  // Without a tolerance the age is not checked, so a signature lasts for a long measurement.
  return () => webhooks.constructEvent(body, header, SECRET, 0);
}

/** @param {Buffer} body */
function slack(body) {
  const seconds = Math.floor(Date.now() / 1000) + 3600;
  const signed = createHmac("sha256", SECRET).update(`v0:${seconds}:`).update(body).digest("hex");
  const headers = { "x-slack-request-timestamp": seconds, "x-slack-signature": `v0=${signed}` };
  return () => {
    const text = body.toString();
    const isValid = bolt.isValidSlackRequest({ signingSecret: SECRET, body: text, headers });
    if (!isValid) throw new Error("refused");
    return JSON.parse(text);
  };
}

/**
 * @param {Buffer} body
 * @param {typeof StandardWebhook | typeof SvixWebhook} Webhook
 * @param {string} prefix Of its headers.
 */
function standard(body, Webhook, prefix) {
  const webhook = new Webhook(Buffer.from(SECRET).toString("base64"));
  const now = new Date();
  const headers = {
    [`${prefix}-id`]: "msg_1",
    [`${prefix}-timestamp`]: String(Math.floor(now.getTime() / 1000)),
    [`${prefix}-signature`]: webhook.sign("msg_1", now, body.toString()),
  };
  return () => webhook.verify(body.toString(), headers);
}

/** @param {Buffer} body */
function shopify(body) {
  const { webhooks } = shopifyApi({
    apiKey: "unused",
    apiSecretKey: SECRET,
    apiVersion: ApiVersion.July25,
    hostName: "shop.example",
    isEmbeddedApp: false,
    logger: { log: () => {} },
  });
  const headers = {
    "X-Shopify-Hmac-Sha256": createHmac("sha256", SECRET).update(body).digest("base64"),
    "X-Shopify-Topic": "app/uninstalled",
    "X-Shopify-Shop-Domain": "shop.example",
    "X-Shopify-API-Version": ApiVersion.July25,
    "X-Shopify-Webhook-Id": "1",
  };
  const rawRequest = /** @type {any} */ ({ method: "POST", url: "/", headers });
  return async () => {
    const rawBody = body.toString();
    const { valid } = await webhooks.validate({ rawBody, rawRequest });
    if (!valid) throw new Error("refused");
    return JSON.parse(rawBody);
  };
}
