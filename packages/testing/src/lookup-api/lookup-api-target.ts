export interface LookupApiTarget {
  /** Base URL: `/v1/ips/{ip}` and `/v1/emails/{email}` follow. */
  readonly url: URL;
  readonly apiKey: string;
  /** Time limit for a response, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
}
