import { parseBatch } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { addUser } from "./accounts/add-user.ts";
import { issueLink } from "./accounts/sign-in-link.ts";
import { Passwords } from "./auth/passwords.ts";
import { UNLIMITED_SESSIONS } from "./config.ts";
import { createDatabase, createPool, type Database } from "./db/database.ts";
import { pendingMigrations } from "./db/migrate.ts";
import { Live } from "./live/live.ts";
import { storeTraces } from "./trace-store/store-traces.ts";

/** What somebody who can reach the database may do without the server: the command line's way in. */
export class Operator {
  readonly #pool: pg.Pool;
  readonly #db: Database;

  constructor(databaseUrl: string) {
    this.#pool = createPool(databaseUrl, { max: 2 });
    this.#db = createDatabase(this.#pool);
  }

  /** For a machine of one's own: no limit on what is stored. */
  addUser(email: string, name: string): Promise<void> {
    return addUser(this.#db, new Passwords(), { email, name, freeSessionsPerDay: UNLIMITED_SESSIONS });
  }

  /** Undefined when nobody has the address. */
  signInLink(publicUrl: string, email: string): Promise<string | undefined> {
    return issueLink(this.#db, publicUrl, email, "signIn");
  }

  /** To a new password; undefined when nobody has the address. */
  resetLink(publicUrl: string, email: string): Promise<string | undefined> {
    return issueLink(this.#db, publicUrl, email, "reset");
  }

  /** Stores traces as if the user had sent them, their plan's limit included; undefined when nobody has the address. */
  async storeTraces(publicUrl: string, email: string, traces: unknown[]): Promise<number | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from users where email = ${email.toLowerCase()}`.execute(this.#db);
    const [user] = rows;
    const body = JSON.stringify({ traces });
    // No stream is open here; those of the server look by themselves every few seconds.
    const live = new Live(this.#db);
    return (
      user && storeTraces({ pool: this.#pool, publicUrl, live }, user.id, parseBatch({ traces }), body.length)
    );
  }

  /** Which PostgreSQL it is, and which migrations are still to be applied. */
  async describe(): Promise<{ version: string; pending: string[] }> {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(this.#db);
    return { version: rows[0]?.version ?? "unknown", pending: await pendingMigrations(this.#db) };
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}
