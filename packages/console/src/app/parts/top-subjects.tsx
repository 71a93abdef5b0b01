import type { AdminAnswer } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { shownCount } from "../shown-value.js";
import { subjectPath } from "../subject-link.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { Section } from "./section.js";
import { Sparkline } from "./sparkline.js";

type Subject = AdminAnswer<"GET /activity">["addresses"][number];

/** The addresses, accounts or networks with the most events, and how these are spread over time. */
export function TopSubjects({
  title,
  about,
  subjects,
  aboutOf,
}: {
  readonly title: string;
  /** The unit and the period of the numbers. */
  readonly about?: string;
  readonly subjects: readonly Subject[];
  /** Text below a name that has no page. */
  readonly aboutOf?: (index: number) => string;
}): ReactNode {
  return (
    <Section title={title} about={about}>
      {subjects.length === 0 && <p className="dim">None in this period.</p>}
      <ol className="top">
        {subjects.map(({ name, events, byStep }, index) => (
          <li key={name}>
            <span className="top-name">
              {aboutOf ? (
                <Foreign>{name}</Foreign>
              ) : (
                <ForeignLink href={subjectPath(name)}>{name}</ForeignLink>
              )}
              {aboutOf && <small>{aboutOf(index)}</small>}
            </span>
            <Sparkline counts={byStep} />
            <span className="number">{shownCount(events)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
