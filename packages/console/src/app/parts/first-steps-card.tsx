import type { Overview } from "@riskgate/api-types";
import { Circle, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { firstSteps } from "../first-steps.js";
import { useApplications } from "./applications.js";
import { Button } from "./button.js";
import { Section } from "./section.js";

const STORED = "riskgate.hidesFirstSteps";

/** The steps of the first day, until all are done or the reader hides them. */
export function FirstStepsCard({ overview }: { readonly overview: Overview }): ReactNode {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(STORED) !== null);
  const applications = useApplications();
  if (!applications || isHidden) return null;
  const steps = firstSteps(applications, overview);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const hide = (): void => {
    localStorage.setItem(STORED, "true");
    setHidden(true);
  };
  return (
    <Section
      title="First steps"
      about={`${done} of ${steps.length} done.`}
      actions={
        <Button look="quiet" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ol className="first-steps">
        {steps.map(({ name, advice, href, isDone }) => (
          <li key={name}>
            {isDone ? (
              <CircleCheck size={18} className="good" aria-label="Done" />
            ) : (
              <Circle size={18} className="dim" aria-label="To do" />
            )}
            {isDone ? <span className="dim">{name}</span> : <Link href={href}>{name}</Link>}
            {!isDone && <small>{advice}</small>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
