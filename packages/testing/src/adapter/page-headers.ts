import type { Lines } from "./known.js";

/** Headers of a request that a page of the application sends. */
export const OWN_PAGE: Lines = [["Sec-Fetch-Site", "same-origin"]];

/** An origin to list in `trustedOrigins`; requests are sent to the host `localhost`. */
export const TRUSTED_ORIGIN = "https://app.shop.example";

export const OWN_PAGES: readonly Lines[] = [
  OWN_PAGE,
  [["Sec-Fetch-Site", "none"]],
  [["Origin", "http://localhost"]],
  [["Origin", "https://localhost"]],
  // A proxy may rewrite the host, but the browser has compared the origins.
  [...OWN_PAGE, ["Origin", "https://shop.example"]],
  ...["same-site", "cross-site"].map((site): Lines => {
    return [
      ["Sec-Fetch-Site", site],
      ["Origin", TRUSTED_ORIGIN],
    ];
  }),
  [["Origin", TRUSTED_ORIGIN]],
  [],
];

/** Headers of requests that pages of other origins make a browser send. */
export const OTHER_PAGES: readonly Lines[] = [
  [["Sec-Fetch-Site", "cross-site"]],
  [["Sec-Fetch-Site", "same-site"]],
  [
    ["Sec-Fetch-Site", "same-site"],
    ["Origin", "https://user.shop.example"],
  ],
  [["Origin", "https://evil.example"]],
  [["Origin", "https://sub.localhost"]],
  [["Origin", "http://localhost:8080"]],
  [["Origin", "null"]],
];
