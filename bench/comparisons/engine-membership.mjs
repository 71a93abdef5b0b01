import { BlockList } from "node:net";
import { createIpTable } from "@riskgate/core/address";
import IPSet from "ip-set";
import { timed } from "../lib/timing.mjs";
import { askedAddresses, ipv4Networks } from "../workers/addresses.mjs";
import { createRandom } from "../workers/random.mjs";

const ASKED = 4_096;

/**
 * Whether an address, given as text, is in one of many networks; half of those asked are.
 *
 * @param {number} count Networks.
 */
export function membership(count) {
  return {
    name: `membership in ${count.toLocaleString("en")} networks`,
    figure: "ns",
    baseline: "riskgate",
    async open() {
      const random = createRandom(1);
      const networks = ipv4Networks(count, random);
      const asked = askedAddresses(networks, ASKED, random);
      const table = createIpTable(networks.map((network) => [network, 1]));
      const set = new IPSet(networks);
      const blocked = new BlockList();
      for (const network of networks) {
        const [address = "", length] = network.split("/");
        blocked.addSubnet(address, Number(length));
      }
      /** @type {Record<string, (ip: string) => boolean>} */
      const ways = {
        riskgate: (ip) => table.marksOf(ip) > 0,
        "ip-set": (ip) => set.contains(ip),
        "net.BlockList": (ip) => blocked.check(ip),
      };
      const expected = asked.slice(0, 200).map((ip) => blocked.check(ip));
      for (const [name, holds] of Object.entries(ways)) {
        const isRight = expected.every((answer, index) => holds(asked[index] ?? "") === answer);
        if (!isRight) throw new Error(`${name} disagrees about an address`);
      }
      return {
        variants: Object.entries(ways).map(([name, holds]) => ({
          name,
          measure: timed((call) => holds(asked[call % ASKED] ?? ""), { unit: "ns" }),
        })),
      };
    },
  };
}
