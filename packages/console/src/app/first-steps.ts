import type { Application, Overview } from "@riskgate/api-types";

export interface FirstStep {
  readonly name: string;
  readonly advice: string;
  readonly href: string;
  readonly isDone: boolean;
}

/** Returns the steps of setting up a new service, and which of them are done. */
export function firstSteps(
  applications: readonly Application[],
  overview: Pick<Overview, "lookups" | "deliveries">,
): readonly FirstStep[] {
  const [first] = applications;
  const page = first ? `/applications/${first.id}` : "/applications";
  const sent = Object.values(overview.deliveries).reduce((sum, count) => sum + count, 0);
  const hasWebhook = applications.some(({ webhookUrl }) => webhookUrl !== null);
  return [
    {
      name: "Create an application",
      advice: "One for each of your sites or apps.",
      href: "/applications",
      isDone: first !== undefined,
    },
    {
      name: "Copy its API key",
      advice: "The key is shown once, when you create the application. You can add another one.",
      href: `${page}?tab=keys`,
      isDone: first !== undefined,
    },
    {
      name: "Make a first lookup",
      advice: "Send it from your application with the key.",
      href: "/api",
      isDone: overview.lookups.steps.length > 0 || sent > 0,
    },
    {
      name: "Set a webhook URL",
      advice: "The service sends events, incidents and responses there.",
      href: page,
      isDone: hasWebhook,
    },
    {
      name: "Send a test payload",
      advice: "The button is on the page of the application.",
      href: page,
      isDone: overview.deliveries.delivered > 0,
    },
  ];
}
