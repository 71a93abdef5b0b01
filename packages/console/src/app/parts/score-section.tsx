import type { EmailExplanation } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { outcomeOf } from "@riskgate/core/internal";
import { DEFAULT_THRESHOLDS } from "../thresholds.js";
import { Badge } from "./badge.js";
import { Foreign } from "./foreign.js";
import { Section } from "./section.js";

type Scored = Pick<EmailExplanation, "score" | "signals" | "rules" | "feeds">;

/** The score as one bar: each signal adds its part. */
export function ScoreSection({ explanation }: { readonly explanation: Scored }): ReactNode {
  const { score, signals, rules, feeds } = explanation;
  const { flagAbove, rejectAbove } = DEFAULT_THRESHOLDS;
  const parts = partsOf(explanation);
  return (
    <Section title="Score" actions={<Badge>{outcomeOf(score, DEFAULT_THRESHOLDS)}</Badge>}>
      <div className="score-line">
        <strong>{score}</strong>
        <svg
          className="score-bar"
          height={16}
          role="img"
          aria-label={`Score ${score} of 100`}
          preserveAspectRatio="none"
          viewBox="0 0 100 16"
        >
          <rect className="ground" x={0} y={0} width={100} height={16} />
          {parts.map(({ name, from, to }, index) => (
            <rect
              key={name}
              className={`part-${index % 5}`}
              x={from}
              y={0}
              width={Math.max(0.4, to - from)}
              height={16}
            >
              <title>{`${name} adds ${to - from}`}</title>
            </rect>
          ))}
          <line x1={flagAbove} x2={flagAbove} y1={0} y2={16} />
          <line x1={rejectAbove} x2={rejectAbove} y1={0} y2={16} />
        </svg>
        <svg className="score-ticks" height={14} aria-hidden>
          <text x={`${flagAbove}%`} y={11}>
            flag {flagAbove}
          </text>
          <text x={`${rejectAbove}%`} y={11}>
            reject {rejectAbove}
          </text>
        </svg>
      </div>
      {signals.length === 0 && rules.length === 0 && (
        <p className="dim">Nothing is known against it.</p>
      )}
      <ul className="score-parts">
        {signals.map((signal) => {
          const { name, adds, source } = signal;
          const index = parts.findIndex((part) => part.name === name);
          return (
            <li key={`${name} ${source}`}>
              <i className={index < 0 ? "part-none" : `part-${index % 5}`} aria-hidden />
              <span>
                <Foreign>{TITLES[name] ?? name.replaceAll("_", " ")}</Foreign>{" "}
                <span className="dim">
                  <Foreign>{causeText(signal, feeds)}</Foreign>
                </span>
              </span>
              <b>{adds > 0 ? `+${adds}` : "0"}</b>
            </li>
          );
        })}
        {rules.map(({ name, outcome, adds }) => (
          <li key={name}>
            <i className="part-rule" aria-hidden />
            <span>
              Rule <Foreign>{name}</Foreign> <Badge>{outcome}</Badge>
            </span>
            <b>{adds > 0 ? `+${adds}` : adds}</b>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Names of signals that would read badly beside the name of a list. */
const TITLES: Readonly<Record<string, string>> = {
  attacker: "known attacker",
  tor: "Tor exit",
  vpn: "VPN",
};

/** Names the source of a signal: `on the list attackers`, or the detail of the service. */
function causeText(
  { name, source, detail }: Scored["signals"][number],
  feeds: Scored["feeds"],
): string {
  if (name === "history" && detail !== undefined) return `${detail}, counted towards the score`;
  if (detail !== undefined) return detail;
  const lists = source.split(", ");
  const areFeeds = lists.every((one) => feeds.some((feed) => feed.name === one));
  if (!areFeeds) return source;
  return lists.length === 1 ? `on the list ${source}` : `on the lists ${source}`;
}

interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The signals that add to the score, each from where the previous one ends. */
function partsOf({ signals }: Pick<Scored, "signals">): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { name, adds } of signals) {
    if (adds <= 0) continue;
    const to = Math.min(100, from + adds);
    parts.push({ name, from, to });
    from = to;
  }
  return parts;
}
