import type { IncidentAddress } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { shownCount } from "../shown-value.js";
import { addressPath } from "../subject-link.js";
import { ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";

/** The address of an incident with its score and block; several addresses in numbers. */
export function IncidentAddresses({
  addresses,
}: {
  readonly addresses: readonly IncidentAddress[];
}): ReactNode {
  const [first, ...others] = addresses;
  if (!first) return null;
  if (others.length === 0) return <OneAddress address={first} />;
  const scores = addresses.flatMap(({ score }) => score ?? []);
  const blocked = addresses.filter(({ blockedUntil }) => blockedUntil !== null).length;
  return (
    <span>
      {shownCount(addresses.length)} addresses
      {scores.length > 0 && ` \u00b7 highest score ${Math.max(...scores)}`} {"\u00b7"}{" "}
      {blocked === 0 ? "none blocked" : <b className="warn">{shownCount(blocked)} blocked</b>}
    </span>
  );
}

function OneAddress({
  address: { name, score, blockedUntil },
}: {
  readonly address: IncidentAddress;
}): ReactNode {
  return (
    <span>
      <ForeignLink href={addressPath(name)}>{name}</ForeignLink>
      {score !== null && ` \u00b7 score ${score}`} {"\u00b7"}{" "}
      {blockedUntil === null ? (
        "not blocked"
      ) : (
        <b className="warn">
          blocked, ends <RelativeTime at={blockedUntil} />
        </b>
      )}
    </span>
  );
}
