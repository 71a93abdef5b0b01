import { EVENT_CATEGORIES, EVENT_KINDS, parseDelivery } from "@riskgate/core";
import * as valibot from "valibot";
import { z } from "zod";
import { makeDelivery } from "../lib/deliveries.mjs";
import { timed } from "../lib/timing.mjs";

/**
 * Parse a delivery and check the types and the words of all its payloads.
 *
 * @param {number} count
 */
export function types(count) {
  const { body } = makeDelivery(count);
  const parse = () => /** @type {unknown[]} */ (JSON.parse(body.toString()));
  return {
    name: `types of ${count} payloads`,
    figure: "cpuUs",
    baseline: "JSON.parse",
    open: async () => ({
      variants: [
        { name: "JSON.parse", measure: timed(parse) },
        { name: "riskgate, parseDelivery", measure: timed(() => parseDelivery(body).elements) },
        { name: "JSON.parse and zod", measure: timed(() => all(parse(), zodSays)) },
        { name: "JSON.parse and valibot", measure: timed(() => all(parse(), valibotSays)) },
      ],
    }),
  };
}

/** @param {readonly unknown[]} payloads @param {(payload: unknown) => boolean} isValid */
function all(payloads, isValid) {
  for (const payload of payloads) {
    if (!isValid(payload)) throw new Error("a good payload is refused");
  }
  return payloads;
}

// The same words as ours, because parseDelivery checks them too.
const zodText = z.string().optional();
const zodEvent = z.looseObject({
  service_payload_type: z.literal("security_event"),
  application_id: zodText,
  application_name: zodText,
  application_account_account_keys: z.array(z.looseObject({ name: z.string(), value: z.string() })),
  environment: zodText,
  date_occurred: zodText,
  event_category: z.enum(EVENT_CATEGORIES).optional(),
  event_id: zodText,
  event_kind: z.enum(EVENT_KINDS).optional(),
  event_url: zodText,
  humanized_description: zodText,
  risk: z.number().optional(),
  ips: z.array(
    z.looseObject({
      address: z.string(),
      date_resolved: zodText,
      geo: z.looseObject({
        city: zodText,
        code: zodText,
        point: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).optional(),
      }),
      is_tor: z.boolean().optional(),
    }),
  ),
});

/** @param {unknown} payload */
const zodSays = (payload) => zodEvent.safeParse(payload).success;

const {
  array,
  boolean,
  literal,
  looseObject,
  maxValue,
  minValue,
  number,
  optional,
  picklist,
  pipe,
  string,
} = valibot;
const text = optional(string());
const valibotEvent = looseObject({
  service_payload_type: literal("security_event"),
  application_id: text,
  application_name: text,
  application_account_account_keys: array(looseObject({ name: string(), value: string() })),
  environment: text,
  date_occurred: text,
  event_category: optional(picklist(EVENT_CATEGORIES)),
  event_id: text,
  event_kind: optional(picklist(EVENT_KINDS)),
  event_url: text,
  humanized_description: text,
  risk: optional(number()),
  ips: array(
    looseObject({
      address: string(),
      date_resolved: text,
      geo: looseObject({
        city: text,
        code: text,
        point: optional(
          valibot.tuple([
            pipe(number(), minValue(-180), maxValue(180)),
            pipe(number(), minValue(-90), maxValue(90)),
          ]),
        ),
      }),
      is_tor: optional(boolean()),
    }),
  ),
});

/** @param {unknown} payload */
const valibotSays = (payload) => valibot.safeParse(valibotEvent, payload).success;
