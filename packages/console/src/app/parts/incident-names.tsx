import type { IncidentAccount, IncidentAddress, IncidentHistory } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { countText, numberIn, shownCount } from "../shown-value.js";
import { accountPath, addressPath } from "../subject-link.js";
import { BlockButton, type Subjects } from "./block-dialog.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";
import type { Column } from "./row-list.js";
import { Section } from "./section.js";
import { SomeRows } from "./some-rows.js";
import { ReleaseButton } from "./subject-actions.js";

/** The addresses and accounts of an incident with their scores and blocks. */
export function IncidentNames({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { addresses, accounts, incident } = history;
  const { applicationId } = incident;
  return (
    <>
      <Section title="Addresses">
        <SomeRows
          label="Addresses"
          columns={[...ADDRESSES, ACTION(applicationId, (name) => ({ ips: [name] }))]}
          rows={addresses}
          empty="None on record."
        />
      </Section>
      <Section title="Accounts">
        <SomeRows
          label="Accounts"
          columns={[...ACCOUNTS, ACTION(applicationId, (name) => ({ accounts: [name] }))]}
          rows={accounts}
          empty={unnamedText(numberIn(incident.payload, "accounts_count"))}
        />
      </Section>
    </>
  );
}

/** Login scans count the accounts that were tried, and name none of them. */
function unnamedText(count: number): string {
  return count === 0
    ? "None on record."
    : `${countText(count, "account")} counted. The events of this incident do not name them.`;
}

type Named = IncidentAccount | IncidentAddress;

const COUNTS: readonly Column<Named>[] = [
  { title: "Events", numeric: true, cell: ({ events }) => shownCount(events) },
  { title: "Score", numeric: true, cell: ({ score }) => score ?? "none" },
  {
    title: "Blocked",
    bare: true,
    cell: ({ blockedUntil }) =>
      blockedUntil !== null && (
        <span className="warn">
          ends <RelativeTime at={blockedUntil} />
        </span>
      ),
  },
];

const ADDRESSES: readonly Column<IncidentAddress>[] = [
  {
    title: "Address",
    grow: true,
    cell: ({ name, country, asn }) => {
      const network = asn && (asn.organisation ?? `AS${asn.number}`);
      return (
        <>
          <ForeignLink href={addressPath(name)}>{name}</ForeignLink>{" "}
          <span className="dim">
            <Foreign>{[country, network].filter(Boolean).join(" \u00b7 ")}</Foreign>
          </span>
        </>
      );
    },
  },
  ...COUNTS,
];

const ACCOUNTS: readonly Column<IncidentAccount>[] = [
  {
    title: "Account",
    grow: true,
    cell: ({ name }) => <ForeignLink href={accountPath(name)}>{name}</ForeignLink>,
  },
  ...COUNTS,
];

const ACTION = (applicationId: string, subjectsOf: (name: string) => Subjects): Column<Named> => ({
  title: "Action",
  bare: true,
  cell: ({ name, blockedUntil }) =>
    blockedUntil === null ? (
      <BlockButton look="quiet" subjects={subjectsOf(name)} applicationId={applicationId} />
    ) : (
      <ReleaseButton look="quiet" subjects={subjectsOf(name)} applicationId={applicationId} />
    ),
});
