/** Returns the Redis settings that can lose an acknowledged delivery. */
export function durabilityProblems(info: string): string[] {
  const problems: string[] = [];
  if (settingIn(info, "aof_enabled") !== "1") {
    problems.push("it has no append-only file, so a crash loses deliveries: set `appendonly yes`");
  }
  const eviction = evictionProblem(info, "deliveries");
  return eviction === undefined ? problems : [...problems, eviction];
}

/** Returns the problem of a Redis that evicts when its memory is full; undefined without one. */
export function evictionProblem(info: string, dropped: string): string | undefined {
  const policy = settingIn(info, "maxmemory_policy");
  if (policy === "noeviction") return undefined;
  return `its eviction policy is ${policy ?? "unknown"}, so a full memory drops ${dropped}: set \`maxmemory-policy noeviction\``;
}

function settingIn(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
}
