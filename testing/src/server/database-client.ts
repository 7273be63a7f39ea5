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
import { prefixOf } from "../samples/add-member.ts";
import { Client, PASSWORD, SignedInUser } from "./client.ts";
import { MemberOfTwo } from "./member-of-two.ts";

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
  readonly #memberships: 1 | 2;
  /** The second workspace of all users. */
  #common: Promise<string> | undefined;

  constructor(url: string, db: Database, config: Config, memberships: 1 | 2 = 1) {
    super(url, undefined, (userId) => findWorkspace(db, userId));
    this.#db = db;
    this.#config = config;
    this.#memberships = memberships;
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
    const user = new SignedInUser(this.url, `${new SessionCookie(publicUrl).name}=${token}`, {
      email,
      userId,
      workspaceId: await findWorkspace(db, userId),
    });
    return this.#memberships === 1 ? user : this.#joinCommon(user);
  }

  /** The membership is older than that in the user's own workspace, so that the first one found is the wrong one. */
  async #joinCommon(user: SignedInUser): Promise<SignedInUser> {
    const db = this.#db;
    this.#common ??= sql<{ id: string }>`
      insert into workspaces (name) values ('Common') returning id`
      .execute(db)
      .then(({ rows }) => rows[0]?.id ?? "");
    await sql`
      insert into memberships (user_id, workspace_id, role, created_at)
      values (${user.userId}, ${await this.#common}, 'viewer', now() - interval '1 day')`.execute(db);
    return new MemberOfTwo(user, await prefixOf(db, user));
  }
}
