import { LogOut, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation, useSearch } from "wouter";
import manifest from "../../../package.json" with { type: "json" };
import { signOut } from "../call.js";
import { Button } from "../parts/button.js";
import { ShownApplication } from "./shown-application.js";
import { MENU } from "./menu-entries.js";
import { ThemeSwitch } from "./theme-switch.js";

/** Parts of a URL that the reader chose for all pages. */
const LASTING = ["applicationId", "range", "since", "until"] as const;

/** The menu, beside the page or above it. */
export function Menu({
  onSearch,
  onChosen,
}: {
  readonly onSearch: () => void;
  /** Called when a page was chosen. */
  readonly onChosen?: () => void;
}): ReactNode {
  const [location] = useLocation();
  const lasting = lastingPart(useSearch());
  return (
    <>
      <Brand />
      <Button icon={Search} onClick={onSearch}>
        Search <kbd>Ctrl K</kbd>
      </Button>
      <ShownApplication />
      <nav aria-label="Pages">
        {MENU.map(([group, entries]) => (
          <div key={group}>
            <h2>{group}</h2>
            <ul>
              {entries.map(({ path, name, icon: Icon }) => {
                const isHere = path === "/" ? location === "/" : location.startsWith(path);
                return (
                  <li key={path}>
                    <Link
                      href={path + lasting}
                      {...(isHere && { "aria-current": "page" as const })}
                      {...(onChosen && { onClick: onChosen })}
                    >
                      <Icon size={16} strokeWidth={1.75} aria-hidden />
                      {name}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </nav>
      <div className="side-foot">
        <div className="row middle between">
          <ThemeSwitch />
          <Button
            look="quiet"
            icon={LogOut}
            aria-label="Sign out"
            title="Sign out"
            onClick={() => void signOut()}
          />
        </div>
        <span className="version">Version {manifest.version}</span>
      </div>
    </>
  );
}

export function Brand(): ReactNode {
  return (
    <span className="brand">
      <img src={new URL("../icon.svg", import.meta.url).href} width="20" height="20" alt="" />
      riskgate
    </span>
  );
}

function lastingPart(search: string): string {
  const all = new URLSearchParams(search);
  const kept = new URLSearchParams();
  for (const name of LASTING) {
    const value = all.get(name);
    if (value !== null && value !== "") kept.set(name, value);
  }
  return kept.size === 0 ? "" : `?${kept.toString()}`;
}
