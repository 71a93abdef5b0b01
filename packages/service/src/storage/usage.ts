import type { StorageUsage } from "./storage.js";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

export async function readUsage(database: Database): Promise<StorageUsage> {
  if (isPostgres(database)) {
    const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
    const { rows } = await size.execute(database);
    return { databaseBytes: rows[0]!.bytes };
  }
  const { rows } = await sql<{ file: string; bytes: number }>`
    select file, page_count * page_size as bytes
    from pragma_database_list, pragma_page_count, pragma_page_size
    where name = 'main'
  `.execute(database);
  const { file, bytes } = rows[0]!;
  const { bavail, bsize } = await statfs(dirname(file));
  return { databaseBytes: bytes, freeBytes: bavail * bsize };
}
