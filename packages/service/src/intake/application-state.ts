import { letRequestsRun } from "../base/let-requests-run.js";
import { EMPTY_INCIDENT } from "../detection/incidents/incident.js";
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
  /** By topic. Of several about one topic, the newest is continued, and the others have their id as key. */
  readonly open: Map<string, IncidentRecord>;
  /** How far the log has been read. */
  position: number;
  /** Grows whenever an owner stores anything, so that a former owner notices it. */
  version: number;
  /** Revision of what detection remembers when it was loaded. */
  readonly revision: number;
}

export type StateBounds = Readonly<Record<string, WindowBounds>>;

/** Open incidents read at a time. */
const PAGE = 1_000;

/** Loads the state as the last batch left it. */
export async function loadState(
  storage: Storage,
  applicationId: string,
  bounds: StateBounds,
  nowMs: () => number,
): Promise<ApplicationState> {
  // Read first: if anything is changed or read by another owner meanwhile, the next batch fails.
  const { detection: revision } = await storage.revisions();
  const { position, version } = await storage.log.detected(applicationId);
  const windows = createWindowMemory(bounds, nowMs);
  for await (const change of storage.windows.load(applicationId)) windows.apply([change]);
  const open = await loadOpen(storage, applicationId);
  return { windows, open, position, version, revision };
}

async function loadOpen(
  { incidents }: Pick<Storage, "incidents">,
  applicationId: string,
): Promise<Map<string, IncidentRecord>> {
  const open = new Map<string, IncidentRecord>();
  for (let beforeSeq: number | undefined; ;) {
    const filter = { applicationId, open: true, limit: PAGE };
    const page = await incidents.list({ ...filter, ...(beforeSeq && { beforeSeq }) });
    for (const one of page) {
      const key = topicKey(one);
      open.set(open.has(key) ? one.id : key, incidentRecordOf(one));
    }
    if (page.length < PAGE) return open;
    beforeSeq = page.at(-1)!.seq;
    await letRequestsRun();
  }
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
    const key = state.open.has(incident.id) ? incident.id : topicKey(incident);
    if (incident.endedAt === null) state.open.set(key, incident);
    else state.open.delete(key);
  }
}

/** Adds the type to the state of a stored incident, and members that another version did not store. */
export function incidentRecordOf(stored: StoredIncident): IncidentRecord {
  return { ...stored, state: { ...EMPTY_INCIDENT, ...(stored.state as Partial<IncidentState>) } };
}
