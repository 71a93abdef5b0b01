import {
  AppWindow,
  Activity,
  BookOpen,
  Braces,
  FlaskConical,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Rss,
  ScanSearch,
  Send,
  Server,
  ShieldAlert,
} from "lucide-react";

export interface MenuEntry {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
}

export const MENU: readonly (readonly [group: string, entries: readonly MenuEntry[]])[] = [
  [
    "Observe",
    [
      { path: "/", name: "Overview", icon: LayoutDashboard },
      { path: "/incidents", name: "Incidents", icon: ShieldAlert },
      { path: "/events", name: "Events", icon: Activity },
      { path: "/lookup", name: "Lookup", icon: ScanSearch },
      { path: "/deliveries", name: "Deliveries", icon: Send },
    ],
  ],
  [
    "Configure",
    [
      { path: "/applications", name: "Applications", icon: AppWindow },
      { path: "/playbooks", name: "Playbooks", icon: BookOpen },
      { path: "/rules", name: "Operator rules", icon: ListChecks },
      { path: "/rehearsal", name: "Rehearsal", icon: FlaskConical },
    ],
  ],
  [
    "System",
    [
      { path: "/feeds", name: "Feeds", icon: Rss },
      { path: "/system", name: "System", icon: Server },
      { path: "/api", name: "API", icon: Braces },
    ],
  ],
];
