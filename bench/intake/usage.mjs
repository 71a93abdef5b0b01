import { readdirSync, readFileSync } from "node:fs";

/** Microseconds of one tick of the process times. */
const TICK_US = 10_000;

/** Tables with all their indexes; the parts of a divided table count for the whole. */
const TABLES = `
  select coalesce(pg_inherits.inhparent, pg_class.oid)::regclass::text as name,
    sum(pg_total_relation_size(pg_class.oid))::bigint as bytes
  from pg_class left join pg_inherits on pg_inherits.inhrelid = pg_class.oid
  where relkind = 'r' and relnamespace = 'public'::regnamespace
  group by 1
`;

/** Begins to count what the processes and the database use. @param {import("./site.mjs").Site} site */
export async function startUsage(site) {
  const start = await read(site);
  return {
    /** @param {number} events @returns {Promise<Record<string, number>>} */
    async figures(events) {
      const end = await read(site);
      const each = (/** @type {number} */ amount) => amount / Math.max(1, events);
      const grown = [...end.tables]
        .map(([name, bytes]) => ({ name, bytes: bytes - (start.tables.get(name) ?? 0) }))
        .filter(({ bytes }) => bytes > 0)
        .sort((one, other) => other.bytes - one.bytes);
      const stored = grown.reduce((sum, { bytes }) => sum + bytes, 0);
      return {
        "CPU us per event, node": each(end.nodeUs - start.nodeUs),
        "CPU us per event, PostgreSQL": each(end.databaseUs - start.databaseUs),
        "WAL bytes per event": each(end.wal - start.wal),
        "stored bytes per event": each(stored),
        ...Object.fromEntries(
          grown
            .filter(({ bytes }) => bytes >= stored / 100)
            .map(({ name, bytes }) => [`% in ${name}`, (100 * bytes) / stored]),
        ),
      };
    },
  };
}

/** @param {import("./site.mjs").Site} site */
async function read({ pids, databasePid, query }) {
  const isShared = databasePid !== undefined;
  const [{ wal }] = isShared
    ? await query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal")
    : [{ wal: 0 }];
  const tables = isShared ? await query(TABLES) : [];
  return {
    nodeUs: pids.reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    databaseUs: isShared ? familyUsOf(databasePid) : 0,
    wal: Number(wal),
    tables: new Map(tables.map(({ name, bytes }) => [name, Number(bytes)])),
  };
}

/** CPU time of a process and of its children that have ended. @param {number} pid */
function cpuUsOf(pid) {
  const [user, system, ended, endedSystem] = fieldsOf(pid).slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (ended ?? 0) + (endedSystem ?? 0)) * TICK_US;
}

/** @param {number} pid */
function familyUsOf(pid) {
  const children = readdirSync("/proc")
    .map(Number)
    .filter((one) => one > 0 && Number(fieldsOf(one)[1]) === pid);
  return [pid, ...children].reduce((sum, one) => sum + cpuUsOf(one), 0);
}

/** Fields of a process after its name, beginning with its state. @param {number} pid */
function fieldsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
