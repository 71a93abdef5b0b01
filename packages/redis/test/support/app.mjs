// The application of webhook-app.mjs as a process of its own. Its settings are one JSON text.
import { openWebhookApp } from "./webhook-app.mjs";

const { port, stop } = await openWebhookApp(JSON.parse(process.argv[2] ?? ""));
process.stdout.write(`port ${port}\n`);
process.once("SIGTERM", () => void stop());
