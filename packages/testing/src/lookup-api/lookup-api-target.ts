/** A lookup API, known by its address. */
export interface LookupApiTarget {
  /** Base URL: `/v1/ips/{ip}` and `/v1/emails/{email}` follow. */
  readonly url: URL;
  readonly apiKey: string;
  /** How long to wait for an answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
}
