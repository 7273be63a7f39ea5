import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { register } from "../../../server/src/accounts/register.ts";
import { Passwords } from "../../../server/src/auth/passwords.ts";
import { SessionCookie } from "../../../server/src/auth/session-cookie.ts";
import { createSession } from "../../../server/src/auth/sessions.ts";
import type { UserId } from "../../../server/src/auth/user-id.ts";
import type { Config } from "../../../server/src/config.ts";
import type { Database } from "../../../server/src/db/database.ts";
import { findWorkspace } from "../../../server/src/workspaces/find-workspace.ts";
import { Client, PASSWORD, SignedInUser } from "./client.ts";

/** Hashes PASSWORD once for all users of a test run. */
class OneHash extends Passwords {
  #passwordHash: Promise<string> | undefined;

  override hash(): Promise<string> {
    this.#passwordHash ??= super.hash(PASSWORD);
    return this.#passwordHash;
  }
}
const passwords = new OneHash();

/**
 * A client that registers users and signs them in as the server does, but in its database: over HTTP both hash the password,
 * and a registration takes 100 ms, so that its time reveals nothing.
 */
export class DatabaseClient extends Client {
  readonly #db: Database;
  readonly #config: Config;

  constructor(url: string, db: Database, config: Config) {
    super(url, undefined, (userId) => findWorkspace(db, userId));
    this.#db = db;
    this.#config = config;
  }

  override async newUser(email = `user-${randomUUID()}@example.test`): Promise<SignedInUser> {
    const db = this.#db;
    const { publicUrl, freeSessionsPerDay } = this.#config;
    await register(
      { db, passwords, publicUrl, freeSessionsPerDay },
      { email, password: PASSWORD, name: "Ada" },
    );
    const { rows } = await sql<{ id: UserId }>`select id from users where email = ${email}`.execute(db);
    const userId = rows[0]?.id;
    const token =
      userId &&
      (await createSession(db, {
        userId,
        passwordHash: await passwords.hash(),
        methods: ["password"],
        userAgent: "node",
      }));
    if (!token) throw new Error(`${email} could not be registered`);
    return new SignedInUser(this.url, `${new SessionCookie(publicUrl).name}=${token}`, {
      email,
      userId,
      workspaceId: await findWorkspace(db, userId),
    });
  }
}
