/** Returns the registrable domain of a domain: `example.co.uk` for `a.example.co.uk`. */
export type RegistrableDomain = (domain: string) => unknown;

let find: RegistrableDomain = (domain) => domain;

/**
 * Starts to load the public suffix list, which takes as long as loading the whole package. Until
 * then, and if it cannot be loaded, each domain is its own registrable domain.
 */
export function loadRegistrableDomain(): RegistrableDomain {
  import("tldts").then(
    ({ getDomain }) => {
      // Customers of a private suffix, such as `github.io`, are different parties.
      const options = { allowPrivateDomains: true, extractHostname: false };
      find = (domain) => getDomain(domain, options);
    },
    () => {},
  );
  return (domain) => find(domain);
}
