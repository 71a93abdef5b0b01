import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useApplications } from "../parts/applications.js";
import { useAnswer } from "../parts/use-answer.js";
import { type PaletteEntry, type PaletteGroup, paletteGroups } from "./palette-entries.js";

/** How long the reader must stop typing before the service is called, in milliseconds. */
const REST_MS = 120;

/** A search over pages, applications, records, addresses and accounts. */
export function Palette({
  isOpen,
  onOpenChange,
}: {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}): ReactNode {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette" aria-label="Search">
          <Finder onChosen={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const groups = useGroups(text);
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      value={text}
      onValueChange={(value) => setText(value)}
      itemToStringValue={({ name }: PaletteEntry) => name}
      autoHighlight="always"
      keepHighlight
    >
      <div className="palette-field">
        <Search size={17} aria-hidden />
        <Autocomplete.Input
          aria-label="Search for an address, account, id or page"
          placeholder="Address, account, id or page"
        />
        <Dialog.Close className="hidden">Close</Dialog.Close>
      </div>
      <Autocomplete.Empty className="palette-empty">Nothing found.</Autocomplete.Empty>
      <Autocomplete.List className="palette-list">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="palette-label">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(entry: PaletteEntry) => (
                <Autocomplete.Item
                  key={entry.path}
                  value={entry}
                  className="palette-entry"
                  onClick={() => {
                    onChosen();
                    navigate(entry.path);
                  }}
                >
                  <entry.icon size={16} strokeWidth={1.75} aria-hidden />
                  <span>{entry.name}</span>
                  <small>{entry.about}</small>
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function useGroups(text: string): PaletteGroup[] {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const applications = useApplications() ?? [];
  const { data } = useAnswer(
    "GET /search",
    { query: { q: asked } },
    { enabled: asked.length > 1, placeholderData: (before) => before },
  );
  return [...paletteGroups(text, { found: data?.found ?? [], applications })];
}
