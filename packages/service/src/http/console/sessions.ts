import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Both halves of a session: the page gets one, the browser keeps the other away from the page. */
interface OpenedSession {
  /** For the cookie. */
  readonly id: string;
  /** For the header of every request. */
  readonly csrfToken: string;
  readonly lifetimeMs: number;
}

/** What a request shows of a session. */
export interface ShownSession {
  readonly id: string;
  readonly csrfToken: string;
}

/** Sessions of the console, in memory alone: they end with the process. */
export interface Sessions {
  open(): OpenedSession;
  /** Whether both halves belong to a session that lasts; using it prolongs it. */
  use(shown: ShownSession): boolean;
  /** Ends a session; false where there is none. */
  end(shown: ShownSession): boolean;
}

/** A session ends after a working day, and when it was not used for an hour. */
const LIFETIME_MS = 12 * 3_600_000;
const IDLE_MS = 3_600_000;

/** With more of them, the oldest ends. */
const MAX_SESSIONS = 100;

const BYTES = 32;

interface Session {
  readonly csrf: Buffer;
  readonly endsMs: number;
  readonly idleEndsMs: number;
}

/**
 * Makes no sessions yet.
 *
 * @param nowMs Milliseconds on a clock that never jumps.
 */
export function createSessions(nowMs: () => number): Sessions {
  /** By the digest of the id: what can be read from memory is of no use. */
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
