import { blockKeysOf, type BlockPeriod, BLOCKS } from "../detection/playbooks/block-windows.js";
import { type NamedTargets, securityResponse } from "../detection/playbooks/security-response.js";
import type { Application } from "../model/application.js";
import type { Clock, Instant } from "../model/instant.js";
import { networkOf } from "../model/network.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Subject } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";
import { type Block, blocksIn, concerns } from "./blocks.js";
import { sendPayload } from "./send-payload.js";

/** In place of a playbook's id in responses of an operator. */
const OPERATOR_ID = "operator";

export function isByOperator({ playbookId }: Pick<StoredResponse, "playbookId">): boolean {
  return playbookId === OPERATOR_ID;
}

/** An application that a response concerns. */
interface Addressee {
  readonly id: string;
  readonly name: string;
  /** False if its settings exclude security responses, so that nothing is delivered. */
  readonly isSent: boolean;
}

interface BlockOptions {
  /** Default all applications. */
  readonly applicationId: string | undefined;
  readonly durationMs: number;
  /** Shown as the name of the playbook. */
  readonly note: string | undefined;
}

/** Sends security responses on behalf of an operator. */
export interface OperatorResponses {
  /** Returns the blocks in force, newest first. */
  blocks(applicationId?: string): Promise<readonly Block[]>;
  block(subjects: readonly Subject[], options: BlockOptions): Promise<readonly Addressee[]>;
  /** Ends blocks. Returns the applications that had one. */
  release(
    subjects: readonly Subject[],
    applicationId: string | undefined,
  ): Promise<readonly Addressee[]>;
}

export interface OperatorResponseParts {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Called when payloads wait for delivery. */
  readonly onQueued: () => void;
}

/** Shortest duration that every block list accepts; it replaces the remaining one. */
const RELEASE_MS = 1_000;

const NAMES = { block: "Blocked by an operator", release: "Released by an operator" };

const MICROS_PER_MS = 1_000;

interface Sending {
  readonly name: string;
  readonly named: NamedTargets;
  readonly durationMs: number;
  /** Time until which the response decides about its targets. */
  readonly endsAt: Instant;
}

export function createOperatorResponses(parts: OperatorResponseParts): OperatorResponses {
  const { storage, clock, onQueued } = parts;

  const blocks = async (applicationId?: string): Promise<readonly Block[]> => {
    const now = clock();
    return blocksIn(await storage.playbooks.responsesInEffect(now, applicationId), now);
  };

  const send = async (
    sendingTo: (application: Application, now: Instant) => Sending | undefined,
    applicationId: string | undefined,
  ): Promise<readonly Addressee[]> => {
    const addressees = await storage.transaction(async (within) => {
      // Playbooks must know of the block before their next response, or they could shorten it.
      await within.outdateDetection();
      const now = clock();
      const applications = await within.applications.list();
      const sent: Addressee[] = [];
      for (const application of applications) {
        if (applicationId !== undefined && application.id !== applicationId) continue;
        const sending = sendingTo(application, now);
        if (sending) sent.push(await sendTo(within, application, sending, now));
      }
      return sent;
    });
    if (addressees.some(({ isSent }) => isSent)) onQueued();
    return addressees;
  };

  return {
    blocks,
    block(subjects, { applicationId, durationMs, note = NAMES.block }) {
      const named = targetsOf(subjects);
      return send(
        (_, now) => ({ name: note, named, durationMs, endsAt: now + durationMs * MICROS_PER_MS }),
        applicationId,
      );
    },
    async release(subjects, applicationId) {
      const tests = subjects.map(concerns);
      const found = (await blocks(applicationId)).filter((one) => tests.some((test) => test(one)));
      return send(({ id }) => {
        const own = found.filter((one) => one.applicationId === id);
        if (own.length === 0) return undefined;
        const endsAt = Math.max(...own.map(({ until }) => until));
        return { name: NAMES.release, named: namedBy(own), durationMs: RELEASE_MS, endsAt };
      }, applicationId);
    },
  };
}

async function sendTo(
  storage: Storage,
  application: Application,
  { name, named, durationMs, endsAt }: Sending,
  now: Instant,
): Promise<Addressee> {
  const playbook = { id: OPERATOR_ID, name, response: { durationMs } };
  const payload = securityResponse(playbook, application, named, now);
  const stored: StoredResponse = {
    id: payload.id,
    applicationId: application.id,
    playbookId: OPERATOR_ID,
    subject: named.networks[0] ?? JSON.stringify(named.identifiers[0]),
    createdAt: now,
    endsAt,
    payload: { ...payload },
  };
  await storage.playbooks.recordResponse(stored);
  const value: BlockPeriod = { since: now, until: durationMs === RELEASE_MS ? now : endsAt };
  const windows = blockKeysOf(named).map((key) => ({ map: BLOCKS, key, value }));
  await storage.windows.save(
    application.id,
    windows.map((one) => ({ ...one, expiresAt: endsAt })),
  );
  const isSent = await sendPayload(storage, application, { type: "security_response", payload });
  return { id: application.id, name: application.name, isSent };
}

function targetsOf(subjects: readonly Subject[]): NamedTargets {
  const of = (type: Subject["type"]): readonly string[] =>
    subjects.filter((one) => one.type === type).map(({ subject }) => subject);
  return {
    networks: [...new Set(of("ip").map((ip) => networkOf(ip, 64)))],
    identifiers: of("account").map((account) => ({
      [account.includes("@") ? "email" : "login"]: account,
    })),
  };
}

/** Returns the targets exactly as they were blocked, because a block list compares them exactly. */
function namedBy(blocks: readonly Block[]): NamedTargets {
  return {
    networks: blocks.filter(({ type }) => type === "network").map(({ target }) => target),
    identifiers: blocks.flatMap(({ identifier }) => (identifier ? [identifier] : [])),
  };
}
