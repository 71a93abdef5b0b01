import { Dialog } from "@base-ui/react/dialog";
import { Menu as MenuIcon, Search, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../parts/button.js";
import { Brand, Menu } from "./menu.js";
import { Palette } from "./palette.js";

/** The menu and the search around every page. */
export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!opensSearch(event)) return;
      event.preventDefault();
      setMenuOpen(false);
      setSearching(true);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="side">
        <Menu onSearch={() => setSearching(true)} />
      </header>
      <header className="bar">
        <Dialog.Root open={isMenuOpen} onOpenChange={(isOpen) => setMenuOpen(isOpen)}>
          <Dialog.Trigger className="button quiet only-icon" aria-label="Menu">
            <MenuIcon size={18} aria-hidden />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className="scrim" />
            <Dialog.Popup className="drawer side" aria-label="Menu">
              <Menu
                onSearch={() => {
                  setMenuOpen(false);
                  setSearching(true);
                }}
                onChosen={() => setMenuOpen(false)}
              />
              <Dialog.Close className="button quiet only-icon close" aria-label="Close">
                <X size={18} aria-hidden />
              </Dialog.Close>
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <Brand />
        <Button look="quiet" icon={Search} aria-label="Search" onClick={() => setSearching(true)} />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Palette isOpen={isSearching} onOpenChange={setSearching} />
    </div>
  );
}

/** `Ctrl K` or `Cmd K` anywhere, and `/` outside of fields. */
function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === "k") return (ctrlKey || metaKey) && !altKey;
  if (key !== "/" || ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.closest("input, textarea, select"));
}
