/** Returns the Redis settings that can lose an acknowledged delivery. */
export function durabilityProblems(info: string): string[] {
  const setting = (name: string): string | undefined =>
    new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
  const problems: string[] = [];
  if (setting("aof_enabled") !== "1") {
    problems.push("it has no append-only file, so a crash loses deliveries: set `appendonly yes`");
  }
  const policy = setting("maxmemory_policy");
  if (policy !== "noeviction") {
    problems.push(
      `its eviction policy is ${policy ?? "unknown"}, so a full memory drops deliveries: set \`maxmemory-policy noeviction\``,
    );
  }
  return problems;
}
