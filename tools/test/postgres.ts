import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import pg from "pg";
import { onTestFinished } from "vitest";

/** Server of the tests. Each test creates a separate database. */
const SERVER =
  process.env["RISKGATE_TEST_POSTGRES"] ??
  `postgres://${userInfo().username}@127.0.0.1:5432/postgres`;

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** True if the tests have a server. */
export const hasPostgres: boolean = await onServer(() => Promise.resolve(true)).catch(() => false);

/** Returns the URL of a database that is dropped after the test: empty, or a copy of another one. */
export async function temporaryDatabase(template?: string): Promise<string> {
  const url = await createDatabase(template);
  onTestFinished(() => dropDatabase(url));
  return url;
}

export async function createDatabase(template = "/template1"): Promise<string> {
  const name = `riskgate_test_${randomBytes(6).toString("hex")}`;
  const source = new URL(template, SERVER).pathname.slice(1);
  await onServer((client) => client.query(`create database ${name} template ${source}`));
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer((client) => client.query(`drop database if exists ${name} with (force)`));
}
