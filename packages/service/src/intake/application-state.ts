import { topicKey } from "../detection/incidents/track-incidents.js";
import type { WindowBounds } from "../detection/window-bounds.js";
import type { WindowChange } from "../detection/windows.js";
import { type Instant, instantOf } from "../model/instant.js";
import type { IncidentRecord, IncidentState, StoredIncident } from "../model/incident.js";
import type { Storage } from "../storage/storage.js";
import { createWindowMemory, type WindowMemory } from "./window-memory.js";

/** What detection remembers of an application, as the owner of the application holds it in memory. */
export interface ApplicationState {
  readonly windows: WindowMemory;
  readonly open: Map<string, IncidentRecord>;
  /** How far the log has been read. */
  position: number;
  /** Revision of what detection remembers when it was loaded. */
  readonly revision: number;
}

export type StateBounds = Readonly<Record<string, WindowBounds>>;

/** Maximum number of open incidents of an application that are held. */
const MAX_OPEN = 100_000;

/** Loads the state as the last batch left it. */
export async function loadState(
  storage: Storage,
  applicationId: string,
  bounds: StateBounds,
  nowMs: () => number,
): Promise<ApplicationState> {
  // Read first: if anything is changed or read by another owner meanwhile, the next batch fails.
  const { detection: revision } = await storage.revisions();
  const position = await storage.log.position(applicationId, "detection");
  const windows = createWindowMemory(bounds, nowMs);
  for await (const change of storage.windows.load(applicationId)) windows.apply([change]);
  const open = new Map<string, IncidentRecord>();
  const stored = await storage.incidents.list({ applicationId, open: true, limit: MAX_OPEN });
  // Oldest first, so that the newest incident about a topic is the one to continue.
  for (const one of stored.toReversed()) open.set(topicKey(one), incidentRecordOf(one));
  return { windows, open, position, revision };
}

/** Changes of a batch, stored in the transaction that moves the cursor. */
export interface StateChanges {
  readonly incidents: readonly IncidentRecord[];
  readonly windows: readonly WindowChange[];
}

export async function saveState(
  storage: Storage,
  applicationId: string,
  { incidents, windows }: StateChanges,
  bounds: StateBounds,
  now: Instant,
): Promise<void> {
  await storage.incidents.save(
    incidents.map((incident) => ({ ...incident, state: { ...incident.state } })),
  );
  if (windows.length === 0) return;
  await storage.windows.save(
    applicationId,
    windows.map((change) => ({
      ...change,
      // Memory also retains a value for at most twice its lifetime.
      expiresAt: now + 2 * instantOf(bounds[change.map]!.lifetimeMs),
    })),
  );
}

export function applyChanges(state: ApplicationState, { incidents, windows }: StateChanges): void {
  state.windows.apply(windows);
  for (const incident of incidents) {
    if (incident.endedAt === null) state.open.set(topicKey(incident), incident);
    else state.open.delete(topicKey(incident));
  }
}

/** Adds the type to the state of a stored incident, which only this service writes. */
export function incidentRecordOf(stored: StoredIncident): IncidentRecord {
  return { ...stored, state: stored.state as unknown as IncidentState };
}
