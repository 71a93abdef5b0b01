import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

interface ButtonLook {
  /** `main` for the most important action of a page or form, `danger` if it cannot be undone. */
  readonly look?: "plain" | "main" | "danger" | "danger main" | "quiet";
  readonly icon?: LucideIcon;
}

export function Button({
  look = "plain",
  icon: Icon,
  children,
  type = "button",
  ...others
}: ButtonLook & Omit<ComponentProps<"button">, "className">): ReactNode {
  const isOnlyIcon = children === undefined;
  return (
    <button type={type} className={`button ${look}${isOnlyIcon ? " only-icon" : ""}`} {...others}>
      {Icon && <Icon size={15} aria-hidden />}
      {children}
    </button>
  );
}
