export interface Statements {
  readonly add: string;
  readonly read: string;
  readonly addDistinct: string;
  readonly takeBack: string;
}

/**
 * The counter of a key as seen from the period `now.part`. Counts of the previous period are
 * weighted by the part of it that the window still covers.
 */
const COUNT = `case
  when found.part >= now.part then found.current + found.earlier * now.covered
  when found.part = now.part - 1 then found.current * now.covered
  else 0 end`;

/** One statement each: one round trip, on the clock of PostgreSQL, which all processes share. */
export function statements(table: string): Statements {
  const now = `now as materialized (
    select floor(ms / $2::float8)::bigint as part,
      1 - ms / $2::float8 + floor(ms / $2::float8) as covered,
      to_timestamp((floor(ms / $2::float8) + 2) * $2::float8 / 1000) as ends_at
    from (select extract(epoch from clock_timestamp())::float8 * 1000 as ms) as clock
  )`;
  const counts = `
    select coalesce(${COUNT}, 0) as count
    from unnest($1::bytea[]) with ordinality as asked (key, place)
    cross join now`;
  return {
    read: `with ${now} ${counts} left join ${table} as found using (key) order by place`,
    add: `with ${now},
      first as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select $3::bytea, part, 0, 0, ends_at from now where $3::bytea is not null
        on conflict (key) do update
          set part = excluded.part, ends_at = excluded.ends_at
          where known.part < excluded.part - 1
        returning key
      ),
      added as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select key, part, 1, 0, ends_at from unnest($1::bytea[]) as asked (key) cross join now
        where $3::bytea is null or exists (select from first)
        -- One order for all: two processes that count the same never wait for each other in a circle.
        order by key
        on conflict (key) do update set
          earlier = case
            when known.part >= excluded.part then known.earlier
            when known.part = excluded.part - 1 then known.current
            else 0 end,
          current = case when known.part >= excluded.part then known.current + 1 else 1 end,
          part = greatest(known.part, excluded.part),
          ends_at = greatest(known.ends_at, excluded.ends_at)
        returning key, part, current, earlier
      ),
      found as (
        select key, part, current, earlier from added
        union all
        select key, part, current, earlier from ${table} as known
        where key = any ($1::bytea[]) and not exists (select from added)
      )
      ${counts} left join found using (key) order by place`,
    ...distinctStatements(table, now, counts),
  };
}

/** Statements that count distinct texts: `$3` has the key of the text in each counter of `$1`. */
function distinctStatements(
  table: string,
  now: string,
  counts: string,
): Pick<Statements, "addDistinct" | "takeBack"> {
  const asked = `asked as (
    select key, mark from unnest($1::bytea[], $3::bytea[]) as pairs (key, mark)
  )`;
  const foundOrChanged = `found as (
        select key, part, current, earlier from changed
        union all
        select key, part, current, earlier from ${table} as known
        where key = any ($1::bytea[]) and key not in (select key from changed)
      )`;
  return {
    addDistinct: `with ${now}, ${asked},
      marks as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select mark, part, 0, 0, ends_at from asked cross join now
        order by mark
        -- A text that moves from the earlier part has 1 in \`earlier\`.
        on conflict (key) do update set
          earlier = case when known.part = excluded.part - 1 then 1 else 0 end,
          part = excluded.part,
          ends_at = excluded.ends_at
          where known.part < excluded.part
        returning key as mark, earlier as moved
      ),
      changed as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select key, part, 1, moved, ends_at from asked join marks using (mark) cross join now
        order by key
        on conflict (key) do update set
          earlier = greatest(0, case
            when known.part >= excluded.part then known.earlier
            when known.part = excluded.part - 1 then known.current
            else 0 end - excluded.earlier),
          current = case when known.part >= excluded.part then known.current + 1 else 1 end,
          part = greatest(known.part, excluded.part),
          ends_at = greatest(known.ends_at, excluded.ends_at)
        returning key, part, current, earlier
      ),
      ${foundOrChanged}
      ${counts} left join found using (key) order by place`,
    takeBack: `with ${now}, ${asked},
      -- One order for all, as above.
      marks as (
        select key, part from ${table} where key = any ($3::bytea[]) order by key for update
      ),
      deleted as (
        delete from ${table} as known using marks where known.key = marks.key
        returning known.key as mark, known.part as marked
      ),
      held as (
        select key from ${table}
        where key in (select key from asked join deleted using (mark)) order by key for update
      ),
      changed as (
        update ${table} as known set
          current = greatest(0, known.current - (known.part = marked)::integer),
          earlier = greatest(0, known.earlier - (known.part = marked + 1)::integer)
        from held join asked using (key) join deleted using (mark)
        where known.key = held.key
        returning known.key, known.part, known.current, known.earlier
      ),
      ${foundOrChanged}
      ${counts} left join found using (key) order by place`,
  };
}
