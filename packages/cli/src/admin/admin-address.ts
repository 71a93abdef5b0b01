import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface AdminAddress {
  readonly url: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly proofKey: string;
}

export const adminFile = (dataDir: string): string => join(dataDir, "admin.json");

/** Stores the address, readable by the same user only. */
export function leaveAdminAddress(dataDir: string, address: AdminAddress): void {
  rmSync(adminFile(dataDir), { force: true });
  writeFileSync(adminFile(dataDir), JSON.stringify(address), { mode: 0o600, flag: "wx" });
}

/** Removes the address, unless another service has replaced it. */
export function removeAdminAddress(dataDir: string, { proofKey }: AdminAddress): void {
  if (findAdminAddress(dataDir)?.proofKey === proofKey) rmSync(adminFile(dataDir), { force: true });
}

/** Reads the address of a service, which may have exited without removing it. */
export function findAdminAddress(dataDir: string): AdminAddress | undefined {
  try {
    const {
      url,
      baseUrl = url,
      token,
      proofKey,
    } = JSON.parse(readFileSync(adminFile(dataDir), "utf8")) as Partial<AdminAddress>;
    if (typeof url !== "string" || !URL.canParse(url)) return undefined;
    if (typeof baseUrl !== "string") return undefined;
    if (typeof token !== "string" || typeof proofKey !== "string") return undefined;
    return { url, baseUrl, token, proofKey };
  } catch {
    return undefined;
  }
}
