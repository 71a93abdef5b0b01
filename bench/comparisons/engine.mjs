import { lookups } from "./engine-lookups.mjs";
import { ledgerSpeed, ledgerSpace, loading } from "./engine-memory.mjs";
import { membership } from "./engine-membership.mjs";
import { places } from "./engine-places.mjs";
import { disposable } from "./engine-domains.mjs";

export default {
  name: "engine",
  title: "Answers from memory",
  about:
    "The embedded engine and its parts, each beside the best-known package for the same question: membership in networks, places of addresses, disposable domains, whole assessments; then what loading and the ledger take. Places and domains are asked inside the engine, which exports no part of itself.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    membership(quick ? 2_000 : 50_000),
    ...places(
      quick ? { networks: 20_000, places: 2_000 } : { networks: 1_000_000, places: 60_000 },
    ),
    disposable(8_000),
    disposable(),
    disposable(120_000),
    lookups(),
    loading(quick ? { v4: 2_000, v6: 500 } : { v4: 42_566, v6: 8_752 }),
    ledgerSpeed(),
    ledgerSpace(quick ? 10_000 : 1_000_000),
  ],
};
