import type { ReactNode } from "react";
import { Link } from "wouter";
import { attackState } from "../attack-state.js";
import { GENRE_TEXTS } from "../genre-text.js";
import { textIn } from "../shown-value.js";
import { ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";
import { StatusCard } from "./status-card.js";
import { useAnswer } from "./use-answer.js";
import { Waiting } from "./waiting.js";

/** Open incidents that are judged; more are counted and not read. */
const MAX_READ = 200;

/** Whether an attack is going on. */
export function AttackStatus({
  applicationId,
  refetchInterval,
}: {
  readonly applicationId: string;
  readonly refetchInterval: number;
}): ReactNode {
  const query = useAnswer(
    "GET /incidents",
    { query: { open: "true", limit: MAX_READ, applicationId } },
    { refetchInterval },
  );
  if (!query.data) return <Waiting query={query} lines={2} />;
  const { incidents } = query.data;
  const { tone, title, text, worst } = attackState(incidents, incidents.length);
  return (
    <StatusCard tone={tone} title={title}>
      <p>
        {text} {incidents.length > 0 && <Link href="/incidents?open=true">Show all</Link>}
      </p>
      <ul className="plain">
        {worst.map(({ id, genre, payload, startedAt }) => (
          <li key={id} className="reason">
            <ForeignLink href={`/incidents/${id}`}>
              {textIn(payload, "humanized_title") || GENRE_TEXTS[genre].name}
            </ForeignLink>
            <span className="dim">
              <RelativeTime at={startedAt} />
            </span>
          </li>
        ))}
      </ul>
    </StatusCard>
  );
}
