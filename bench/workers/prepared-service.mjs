import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService } from "@riskgate/service";
import { geoDatabase } from "./geo-database.mjs";
import { createRandom } from "./random.mjs";

const ADMIN_TOKEN = "token-of-the-administration";

/**
 * Creates the data of a service: an application with a key, lists of networks and domains, and a geo
 * database.
 *
 * @param {{ networks: number, domains: number, places: number }} sizes
 */
export async function prepareService({ networks, domains, places }) {
  const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
  const random = createRandom(8);
  const network = () => `${1 + Math.floor(random() * 223)}.${byte(random)}.${byte(random)}.0/24`;
  const lines = (count, line) => Array.from({ length: count }, line).join("\n");
  await writeFile(join(folder, "networks.txt"), lines(networks, network));
  await writeFile(
    join(folder, "domains.txt"),
    lines(domains, (_, index) => `mail-${index}.example`),
  );
  await writeFile(join(folder, "places.mmdb"), geoDatabase({ networks: places, places: 2_000 }));
  const options = {
    dataDir: join(folder, "data"),
    adminToken: ADMIN_TOKEN,
    feeds: [
      { kind: "vpn", path: join(folder, "networks.txt") },
      { kind: "disposable", path: join(folder, "domains.txt") },
    ],
    geo: { path: join(folder, "places.mmdb") },
  };
  const service = await createService(options);
  const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const { application } = await ask(adminUrl, "/applications", { name: "Shop" });
  const { key } = await ask(adminUrl, `/applications/${application.id}/keys`, {});
  await service.close();
  return { options, key, remove: () => rm(folder, { recursive: true }) };
}

/** @param {string} adminUrl @param {string} path @param {object} body */
async function ask(adminUrl, path, body) {
  const response = await fetch(`${adminUrl}/admin/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** @param {() => number} random */
function byte(random) {
  return Math.floor(random() * 256);
}
