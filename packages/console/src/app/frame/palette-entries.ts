import type { AdminAnswer, Application } from "@riskgate/api-types";
import {
  AppWindow,
  BookOpen,
  Activity,
  type LucideIcon,
  Scale,
  Search,
  Send,
  ShieldAlert,
  User,
  Network,
} from "lucide-react";
import { visible } from "../foreign-text.js";
import { genreText } from "../genre-text.js";
import { kindText } from "../kind-text.js";
import { shortId } from "../shown-value.js";
import { subjectPath } from "../subject-link.js";
import { MENU } from "./menu-entries.js";

type FoundRecord = AdminAnswer<"GET /search">["found"][number];

export interface PaletteEntry {
  readonly path: string;
  readonly name: string;
  /** Its type, shown beside its name. */
  readonly about: string;
  readonly icon: LucideIcon;
}

export interface PaletteGroup {
  readonly value: string;
  readonly items: readonly PaletteEntry[];
}

/** Returns the addresses, accounts, records, applications and pages that match a text. */
export function paletteGroups(
  text: string,
  {
    found,
    applications,
  }: {
    readonly found: readonly FoundRecord[];
    readonly applications: readonly Application[];
  },
): readonly PaletteGroup[] {
  const wanted = text.trim().toLowerCase();
  const subject = subjectEntry(text.trim());
  const records = found
    .map((record) => RECORDS[record.type](record))
    .filter(({ path }) => path !== subject?.path);
  const groups = [
    { value: "Look up", items: subject ? [subject] : [] },
    { value: "Found", items: wanted === "" ? [] : records },
    {
      value: "Applications",
      items: applications
        .filter(({ name, id }) => name.toLowerCase().includes(wanted) || id.startsWith(wanted))
        .map(({ id, name }) => ({
          path: `/applications/${id}`,
          name: visible(name),
          about: "Application",
          icon: AppWindow,
        })),
    },
    {
      value: "Pages",
      items: MENU.flatMap(([, entries]) => entries)
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .map((entry) => ({ ...entry, about: "Page" })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The service checks an address when it is looked up. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:.*:)[\da-f:.]{2,45})$/i;
const EMAIL = /^\S+@\S+$/;

/** An address or an email can be looked up even if nothing is stored about it. */
function subjectEntry(text: string): PaletteEntry | undefined {
  const path = subjectPath(text);
  if (ADDRESS.test(text)) return { path, name: text, about: "Address", icon: Network };
  if (!EMAIL.test(text)) return undefined;
  return { path, name: visible(text), about: "Email", icon: Search };
}

/** Entries of records by their type. */
const RECORDS: Readonly<Record<FoundRecord["type"], (record: FoundRecord) => PaletteEntry>> = {
  address: ({ id }) => ({ path: subjectPath(id), name: id, about: "Address", icon: Network }),
  account: ({ id }) => ({ path: subjectPath(id), name: visible(id), about: "Account", icon: User }),
  incident: ({ id, about }) => ({
    path: `/incidents/${id}`,
    name: genreText(about),
    about: `Incident ${shortId(id)}`,
    icon: ShieldAlert,
  }),
  event: ({ id, about }) => ({
    path: `/events/${encodeURIComponent(id)}`,
    name: kindText(about),
    about: `Event ${visible(shortId(id))}`,
    icon: Activity,
  }),
  decision: ({ id, about }) => ({
    path: `/decisions/${encodeURIComponent(id)}`,
    name: `Decision ${shortId(id)}`,
    about,
    icon: Scale,
  }),
  delivery: ({ id, about }) => ({
    path: `/deliveries/${id}`,
    name: `Delivery ${shortId(id)}`,
    about,
    icon: Send,
  }),
  playbook: ({ id, about }) => ({
    path: `/playbooks/${id}`,
    name: visible(about),
    about: "Playbook",
    icon: BookOpen,
  }),
};
