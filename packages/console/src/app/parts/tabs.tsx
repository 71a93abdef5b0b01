import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { useFilters } from "./use-filters.js";

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Parts of a page of which one is shown; the URL names it, except the first. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}): ReactNode {
  const [{ tab }, setFilter] = useFilters(["tab"]);
  const first = tabs[0]?.name ?? "";
  const shown = tabs.find(({ name }) => name === tab)?.name ?? first;
  return (
    <Base.Root
      className="stack"
      value={shown}
      onValueChange={(name: string) => setFilter("tab", name === first ? "" : name)}
    >
      <Base.List className="tabs" aria-label={label}>
        {tabs.map(({ name, title }) => (
          <Base.Tab key={name} value={name} className="tab">
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        <Base.Panel key={name} value={name} className="tab-panel">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
