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

/** Operations of the command line that work directly on the database, without a running server. */
export class Operator {
  readonly #pool: pg.Pool;
  readonly #db: Database;

  constructor(databaseUrl: string) {
    this.#pool = createPool(databaseUrl, { max: 2 });
    this.#db = createDatabase(this.#pool);
  }

  /** Adds a user with an unlimited plan, for private installations. */
  addUser(email: string, name: string): Promise<void> {
    return addUser(this.#db, new Passwords(), { email, name, freeSessionsPerDay: UNLIMITED_SESSIONS });
  }

  /** Returns undefined if no user has the address. */
  signInLink(publicUrl: string, email: string): Promise<string | undefined> {
    return issueLink(this.#db, publicUrl, email, "signIn");
  }

  /** A link to choose a new password; returns undefined if no user has the address. */
  resetLink(publicUrl: string, email: string): Promise<string | undefined> {
    return issueLink(this.#db, publicUrl, email, "reset");
  }

  /** Stores traces within the user's plan limit; returns undefined if no user has the address. */
  async storeTraces(publicUrl: string, email: string, traces: unknown[]): Promise<number | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from users where email = ${email.toLowerCase()}`.execute(this.#db);
    const [user] = rows;
    const body = JSON.stringify({ traces });
    // This process has no streams. Running servers find the changes with their periodic check.
    const live = new Live(this.#db);
    return (
      user && storeTraces({ pool: this.#pool, publicUrl, live }, user.id, parseBatch({ traces }), body.length)
    );
  }

  /** The version of PostgreSQL and the pending migrations. */
  async describe(): Promise<{ version: string; pending: string[] }> {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(this.#db);
    return { version: rows[0]?.version ?? "unknown", pending: await pendingMigrations(this.#db) };
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}
