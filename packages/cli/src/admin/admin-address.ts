import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a running service is administered, and with what. */
export interface AdminAddress {
  readonly url: string;
  readonly token: string;
  /** The service proves with it that it is the one that left this. */
  readonly proofKey: string;
}

/** File in the data directory that tells the other commands of the service that runs on it. */
export const adminFile = (dataDir: string): string => join(dataDir, "admin.json");

/** Leave the address for other commands of the same user, and of nobody else. */
export function leaveAdminAddress(dataDir: string, address: AdminAddress): void {
  rmSync(adminFile(dataDir), { force: true });
  writeFileSync(adminFile(dataDir), JSON.stringify(address), { mode: 0o600, flag: "wx" });
}

/** Take the address away, unless another service has left its own since. */
export function removeAdminAddress(dataDir: string, { proofKey }: AdminAddress): void {
  if (findAdminAddress(dataDir)?.proofKey === proofKey) rmSync(adminFile(dataDir), { force: true });
}

/** The address that a service left, which may have ended without removing it. */
export function findAdminAddress(dataDir: string): AdminAddress | undefined {
  try {
    const { url, token, proofKey } = JSON.parse(
      readFileSync(adminFile(dataDir), "utf8"),
    ) as Partial<AdminAddress>;
    if (typeof url !== "string" || !URL.canParse(url)) return undefined;
    if (typeof token !== "string" || typeof proofKey !== "string") return undefined;
    return { url, token, proofKey };
  } catch {
    // There is none, or half of one.
    return undefined;
  }
}
