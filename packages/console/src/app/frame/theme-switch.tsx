import { Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useState } from "react";
import { applyTheme, storedTheme, type Theme } from "../theme.js";

const THEMES = [
  [null, "System theme", Monitor],
  ["light", "Light theme", Sun],
  ["dark", "Dark theme", Moon],
] as const;

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme | null): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <div className="segments icons" role="group" aria-label="Theme">
      {THEMES.map(([value, title, Icon]) => (
        <button
          key={title}
          type="button"
          aria-label={title}
          title={title}
          aria-pressed={theme === value}
          onClick={() => choose(value)}
        >
          <Icon size={14} aria-hidden />
        </button>
      ))}
    </div>
  );
}
