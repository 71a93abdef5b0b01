import { mailboxOf } from "@riskgate/core/address";
import type { EventGeo } from "@riskgate/core/payloads";
import type { DetectionSettings } from "../detection/detection-settings.js";
import type { Failure, Owner, Passed } from "../detection/logins/login-history.js";
import type { Instant } from "../model/instant.js";
import { networkOf } from "../model/network.js";
import { placeName } from "../model/place.js";
import type { Subject } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";

interface SubjectLogin {
  readonly applicationId: string;
  readonly at: Instant;
  readonly account: string;
  /** Address, or network if only that is known. */
  readonly address: string;
  readonly success: boolean;
  /** Whether the account exists; null after a success. */
  readonly exists: boolean | null;
  readonly place: string | null;
}

/** Logins of a subject in the windows of the detection. */
export interface SubjectLogins {
  /** Newest first. */
  readonly logins: readonly SubjectLogin[];
  /** Networks and locations of an account's successful logins; empty for an address. */
  readonly knownNetworks: readonly string[];
  readonly knownPlaces: readonly string[];
}

const MAX_LOGINS = 100;

/** Reads the logins of a subject from the windows of the detection. */
export async function loginsOf(
  { windows }: Pick<Storage, "windows">,
  { type, subject }: Subject,
  applicationIds: readonly string[],
  { logins: { ipv6Prefix }, providerRules }: Pick<DetectionSettings, "logins" | "providerRules">,
): Promise<SubjectLogins> {
  const read = async <Value>(map: string, name: string): Promise<readonly [string, Value][]> => {
    const found: [string, Value][] = [];
    for (const id of applicationIds) {
      const value = (await windows.find(id, map, `${id}/${name}`)) as Value | undefined;
      if (value !== undefined) found.push([id, value]);
    }
    return found;
  };
  if (type === "account") {
    const mailbox = mailboxOf(subject, providerRules);
    const owners = await read<Owner>("owners", mailbox);
    const failing = await read<readonly Failure[]>("failing", mailbox);
    return {
      logins: newest([...owners.flatMap(successesOf), ...failing.flatMap(failuresOf)]),
      knownNetworks: [...new Set(owners.flatMap(([, { networks }]) => networks))],
      knownPlaces: namesOf(owners.flatMap(([, { places }]) => places)),
    };
  }
  const network = networkOf(subject, ipv6Prefix);
  const scanning = await read<readonly Failure[]>("scanning", network);
  const passing = await read<readonly Passed[]>("passing", network);
  const address = network.replace(/\/(?:32|128)$/, "");
  const passed = passing.flatMap(([applicationId, entries]) =>
    entries.map(({ at, account }) => ({
      applicationId,
      at,
      account,
      address,
      success: true,
      exists: null,
      place: null,
    })),
  );
  const failed = scanning.flatMap(failuresOf).filter((one) => one.address === subject);
  return { logins: newest([...failed, ...passed]), knownNetworks: [], knownPlaces: [] };
}

function successesOf([applicationId, { successes }]: [string, Owner]): readonly SubjectLogin[] {
  return successes.map(({ at, name, address, place }) => ({
    applicationId,
    at,
    account: name,
    address,
    success: true,
    exists: null,
    place: (place && placeName(place)) ?? null,
  }));
}

function failuresOf([applicationId, failures]: [
  string,
  readonly Failure[],
]): readonly SubjectLogin[] {
  return failures.map(({ at, name, address, exists }) => ({
    applicationId,
    at,
    account: name,
    address,
    success: false,
    exists,
    place: null,
  }));
}

function newest(logins: readonly SubjectLogin[]): readonly SubjectLogin[] {
  return logins.toSorted((one, other) => other.at - one.at).slice(0, MAX_LOGINS);
}

function namesOf(places: readonly EventGeo[]): readonly string[] {
  return [...new Set(places.flatMap((place) => placeName(place) ?? []))];
}
