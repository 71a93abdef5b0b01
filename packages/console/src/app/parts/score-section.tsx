import type { EmailExplanation } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { outcomeOf } from "@riskgate/core/internal";
import { DEFAULT_THRESHOLDS } from "../thresholds.js";
import { Badge } from "./badge.js";
import { Foreign } from "./foreign.js";
import { Section } from "./section.js";

type Scored = Pick<EmailExplanation, "score" | "signals" | "rules">;

/** The score as one bar: each signal adds its part. */
export function ScoreSection({ explanation }: { readonly explanation: Scored }): ReactNode {
  const { score, signals, rules } = explanation;
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
          <line x1={40} x2={40} y1={0} y2={16} />
          <line x1={80} x2={80} y1={0} y2={16} />
        </svg>
      </div>
      {signals.length === 0 && rules.length === 0 && (
        <p className="dim">Nothing is known against it.</p>
      )}
      <ul className="score-parts">
        {signals.map(({ name, adds, source, detail }) => {
          const index = parts.findIndex((part) => part.name === name);
          return (
            <li key={`${name} ${source}`}>
              <i className={index < 0 ? "part-none" : `part-${index % 5}`} aria-hidden />
              <span>
                <Foreign>{name.replaceAll("_", " ")}</Foreign>{" "}
                <span className="dim">
                  <Foreign>{detail ?? source}</Foreign>
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
