import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Both halves of a session: the page stores one, and the browser hides the other from the page. */
interface OpenedSession {
  readonly id: string;
  readonly csrfToken: string;
  readonly lifetimeMs: number;
}

export interface ShownSession {
  readonly id: string;
  readonly csrfToken: string;
}

/** Console sessions, stored only in memory: they end with the process. */
export interface Sessions {
  open(): OpenedSession;
  /** Returns true and extends the session if both halves belong to an open session. */
  use(shown: ShownSession): boolean;
  end(shown: ShownSession): boolean;
}

/** A session ends after a working day, or after an hour without use. */
const LIFETIME_MS = 12 * 3_600_000;
const IDLE_MS = 3_600_000;

/** Maximum number of sessions; one more ends the oldest. */
const MAX_SESSIONS = 100;

const BYTES = 32;

interface Session {
  readonly csrf: Buffer;
  readonly endsMs: number;
  readonly idleEndsMs: number;
}

/**
 * Creates an empty set of sessions.
 *
 * @param nowMs Monotonic clock in milliseconds.
 */
export function createSessions(nowMs: () => number): Sessions {
  /** Sessions by digest of their id, so that a memory dump does not reveal valid ids. */
  const sessions = new Map<string, Session>();

  const find = ({ id, csrfToken }: ShownSession): [string, Session] | undefined => {
    const key = digest(id).toString("hex");
    const session = sessions.get(key);
    if (!session) return undefined;
    if (nowMs() >= Math.min(session.endsMs, session.idleEndsMs)) {
      sessions.delete(key);
      return undefined;
    }
    return timingSafeEqual(session.csrf, digest(csrfToken)) ? [key, session] : undefined;
  };

  return {
    open() {
      const [id, csrfToken] = [randomText(), randomText()];
      const oldest = sessions.size >= MAX_SESSIONS ? sessions.keys().next().value : undefined;
      if (oldest !== undefined) sessions.delete(oldest);
      const now = nowMs();
      sessions.set(digest(id).toString("hex"), {
        csrf: digest(csrfToken),
        endsMs: now + LIFETIME_MS,
        idleEndsMs: now + IDLE_MS,
      });
      return { id, csrfToken, lifetimeMs: LIFETIME_MS };
    },
    use(shown) {
      const found = find(shown);
      if (!found) return false;
      const [key, session] = found;
      sessions.set(key, { ...session, idleEndsMs: nowMs() + IDLE_MS });
      return true;
    },
    end(shown) {
      const found = find(shown);
      return found !== undefined && sessions.delete(found[0]);
    },
  };
}

function randomText(): string {
  return randomBytes(BYTES).toString("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
