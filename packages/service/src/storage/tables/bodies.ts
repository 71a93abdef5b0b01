import { sql } from "kysely";
import type { Database } from "../database.js";

/** The body of a delivery, by its `seq`. */
export async function readBody(database: Database, seq: number): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{ body: ArrayBuffer | Uint8Array }>`
    select body from bodies where seq = ${seq}
  `.execute(database);
  const body = rows[0]?.body;
  // The drivers differ in what they read.
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}
