import type { ReactNode } from "react";
import { ApplicationChoices } from "../parts/applications.js";
import { useFilters } from "../parts/use-filters.js";

/** The application that lists and charts are about; the URL of every page names it. */
export function ShownApplication(): ReactNode {
  const [{ applicationId }, setFilter] = useFilters(["applicationId"]);
  return (
    <label className="shown-application">
      <span className="hidden">Shown application</span>
      <ApplicationChoices
        none="All applications"
        value={applicationId}
        onChange={(id) => setFilter("applicationId", id)}
      />
    </label>
  );
}
