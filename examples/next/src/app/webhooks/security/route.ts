import { webhookRoute } from "@riskgate/next";

export const POST = webhookRoute({
  secrets: process.env["RISKGATE_SIGNING_SECRET"] ?? "",
  on: {
    security_event: (event) => console.log(event.event_kind, event.ips.length),
    test: () => console.log("test payload received"),
  },
});
