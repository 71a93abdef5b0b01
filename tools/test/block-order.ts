import { expect, onTestFinished } from "vitest";
import {
  type BlockStore,
  createBlockList,
  type SharedBlockList,
} from "../../packages/core/src/blocks.js";

const IP = "203.0.113.7";
const ACCOUNT = "ada@shop.example";

/** A security response as a service sends it, made at this second of a minute. */
function responseAt(second: number, durationSeconds: number) {
  return {
    date_created: `2026-03-01T12:00:${String(second).padStart(2, "0")}.000000+00:00`,
    properties: {
      ips: [{ ip_cidr: `${IP}/32` }],
      user_identifiers: [{ email: ACCOUNT }],
      duration_seconds: durationSeconds,
    },
  };
}

const block = responseAt(1, 3_600);
const release = responseAt(2, 1);
const later = responseAt(3, 3_600);

const isBlocked = (list: SharedBlockList): readonly boolean[] => [
  list.blocksIp(IP),
  list.blocksEmail(ACCOUNT),
];

/** Processes that share a store apply responses in the order of their dates, however they arrive. */
export async function appliesLatestResponse(openStore: () => BlockStore): Promise<void> {
  const open = (): SharedBlockList => {
    const list = createBlockList({ store: openStore() });
    onTestFinished(() => list.close());
    return list;
  };
  const [one, other] = [open(), open()];
  await Promise.all([one.ready(), other.ready()]);
  one.apply(release);
  await one.saved();
  // A process that knows nothing of the release, and one that was restarted.
  for (const list of [other, open()]) {
    await list.ready();
    list.apply(block);
    await list.saved();
    for (const each of [one, other, list]) {
      await expect.poll(() => isBlocked(each)).toEqual([false, false]);
    }
  }
  other.apply(later);
  await other.saved();
  await expect.poll(() => isBlocked(one)).toEqual([true, true]);
  // What an application itself does, applies at once.
  one.unblock(IP);
  one.unblock(ACCOUNT);
  await one.saved();
  await expect.poll(() => isBlocked(other)).toEqual([false, false]);
}
