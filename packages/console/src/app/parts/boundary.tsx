import { Component, type ReactNode } from "react";
import { ErrorPanel } from "./error-panel.js";

/** Shows that a page failed, and keeps the menu usable. Its key must change with the page. */
export class Boundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override readonly state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <ErrorPanel error={error} />;
  }
}
