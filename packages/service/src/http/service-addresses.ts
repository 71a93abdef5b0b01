/** A socket that the service listens on. */
interface Listener {
  readonly address: string;
  readonly port: number;
}

/** The addresses of this service. The HTTP side writes them; dispatcher and intake read them. */
export interface ServiceAddresses {
  /** Returns the sockets in use: no delivery is sent to them. */
  readonly listeners: () => readonly Listener[];
  /** Returns the start of the URLs in payloads, without a slash at its end. */
  readonly dashboardUrl: () => string;
  /** Sets what a server listens on, and the URL of its console if it serves one. */
  set(listeners: () => readonly Listener[], consoleUrl: string | undefined): void;
}

/** Start of the URLs in payloads if there is neither a console nor an option. */
const NO_DASHBOARD = "http://localhost";

/** Creates the addresses of a service that does not listen yet. */
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
