interface Listener {
  readonly address: string;
  readonly port: number;
}

/** The addresses of this service. The HTTP layer sets them; the dispatcher and intake read them. */
export interface ServiceAddresses {
  readonly listeners: () => readonly Listener[];
  /** Returns the base of the dashboard URLs in payloads, without a trailing slash. */
  readonly dashboardUrl: () => string;
  set(listeners: () => readonly Listener[], consoleUrl: string | undefined): void;
}

/** Base of the dashboard URLs if there is neither a console nor an option. */
const NO_DASHBOARD = "http://localhost";

export function createServiceAddresses(dashboardUrl: string | undefined): ServiceAddresses {
  let read: () => readonly Listener[] = () => [];
  let console: string | undefined;
  return {
    listeners: () => read(),
    dashboardUrl: () => dashboardUrl ?? console ?? NO_DASHBOARD,
    set(listeners, consoleUrl) {
      read = listeners;
      console = consoleUrl;
    },
  };
}
