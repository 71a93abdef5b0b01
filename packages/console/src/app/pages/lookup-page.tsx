import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { Button } from "../parts/button.js";
import { Page } from "../parts/page.js";
import { TopSubjects } from "../parts/top-subjects.js";
import { useAnswer } from "../parts/use-answer.js";
import { useFilters } from "../parts/use-filters.js";
import { useRange } from "../parts/use-range.js";
import { subjectPath } from "../subject-link.js";
import { periodText } from "../range.js";
import { submitting } from "../submitting.js";

/** Finds the page of an address or an account; links with `q` lead there. */
export function LookupPage(): ReactNode {
  const [{ q, applicationId }] = useFilters(["q", "applicationId"]);
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const range = useRange("24h");
  const name = periodText(range.text);
  const about = `Events ${name}.`;
  const { data } = useAnswer("GET /activity", { query: { ...range.query, applicationId } });
  if (q !== "") {
    const query =
      applicationId === "" ? "" : `?${new URLSearchParams({ applicationId }).toString()}`;
    return <Redirect to={`${subjectPath(q)}${query}`} replace />;
  }
  return (
    <Page
      title="Lookup"
      about="Everything about an address or an account: score, events, logins, incidents and blocks."
    >
      <form
        className="section"
        role="search"
        onSubmit={submitting(() => navigate(subjectPath(text.trim())))}
      >
        <label>
          Address or account
          <input
            required
            maxLength={320}
            placeholder="203.0.113.7 or ada@shop.example"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div className="row">
          <Button type="submit" look="main" icon={Search}>
            Look up
          </Button>
        </div>
      </form>
      {data && (
        <div className="columns">
          <TopSubjects title="Top addresses" about={about} subjects={data.addresses} />
          <TopSubjects title="Top accounts" about={about} subjects={data.accounts} />
        </div>
      )}
    </Page>
  );
}
