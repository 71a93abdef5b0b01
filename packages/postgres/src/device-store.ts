import type { DeviceStore } from "@riskgate/core/device";
import type { ErrorHook } from "@riskgate/core/internal";
import { openTable, type PostgresPool } from "./open-table.js";

export interface PostgresDeviceStoreOptions {
  /**
   * Table of the devices, created on first use if missing; default `riskgate_devices`. A lowercase
   * name, optionally preceded by a schema name and a dot.
   */
  readonly table?: string;
  /** Milliseconds for one call, default 250; after that every device counts as new. */
  readonly timeoutMs?: number;
  /** Receives errors that make PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Creates a store of devices in PostgreSQL, shared by all processes behind a route, for the option
 * `store` of `createDevices`. While PostgreSQL is unhealthy, no request waits for it, and every
 * device counts as new.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function createPostgresDeviceStore(
  pool: PostgresPool,
  options: PostgresDeviceStoreOptions = {},
): DeviceStore {
  const { table, run } = openTable(pool, options, {
    factory: "createPostgresDeviceStore",
    name: "device store",
    table: "riskgate_devices",
    columns: "key text primary key, value bigint not null",
    more: () => ({}),
  });
  const until = (place: string): string =>
    `clock_timestamp() + ${place}::float8 * interval '1 millisecond'`;
  const use = `
    with tried as (
      insert into ${table} as known (key, value, ends_at) values ($1, 1, ${until("$3")})
      on conflict (key) do update set
        value = case when known.ends_at > clock_timestamp() then known.value + 1 else 1 end,
        ends_at = case when known.ends_at > clock_timestamp() then known.ends_at else excluded.ends_at end
      returning value
    )
    select value as tries, coalesce(
      (select value from ${table} where key = $2 and ends_at > clock_timestamp()), 0
    ) as valid_from
    from tried`;
  const giveBack = `
    update ${table} set value = value - 1,
      ends_at = case when value > 1 then ends_at else clock_timestamp() end
    where key = $1 and value > 0`;
  const clear = `
    insert into ${table} as known (key, value, ends_at) values ($1, $2, ${until("$3")})
    on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at`;

  return {
    evicts: false,
    async use({ device, account, ttlMs }) {
      const [row] = await run(use, [`tries ${device}`, `from ${account}`, ttlMs]);
      const { tries, valid_from: from } = row as Readonly<Record<string, unknown>>;
      return { tries: Number(tries), validFromMs: Number(from) };
    },
    async giveBack(device) {
      await run(giveBack, [`tries ${device}`]);
    },
    async clear(account, validFromMs, ttlMs) {
      await run(clear, [`from ${account}`, Math.ceil(validFromMs), ttlMs]);
    },
  };
}
