import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { register } from "../../../packages/server/src/accounts/register.ts";
import { Passwords } from "../../../packages/server/src/auth/passwords.ts";
import { SessionCookie } from "../../../packages/server/src/auth/session-cookie.ts";
import { createSession } from "../../../packages/server/src/auth/sessions.ts";
import type { UserId } from "../../../packages/server/src/auth/user-id.ts";
import type { Config } from "../../../packages/server/src/config.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";
import { insertUser } from "../samples/insert-user.ts";
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
  /** The second workspace of all users. It belongs to somebody else, so that it stays when a user goes. */
  #common: Promise<WorkspaceId> | undefined;

  constructor(url: string, db: Database, config: Config, memberships: 1 | 2 = 2) {
    super(url);
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
    const person = await this.#find(email);
    const token = await createSession(db, {
      userId: person.userId,
      passwordHash: await passwords.hash(),
      methods: ["password"],
      userAgent: "node",
    });
    if (!token) throw new Error(`${email} could not sign in`);
    if (this.#memberships === 2) await this.#joinCommon(person.userId);
    return this.#signedIn(person, `${new SessionCookie(publicUrl).name}=${token}`);
  }

  override async signIn(email: string, password?: string): Promise<SignedInUser> {
    const { cookie } = await super.signIn(email, password);
    return this.#signedIn(await this.#find(email), cookie);
  }

  /** Finds a person and the workspace that they own, else the one that they joined first. */
  async #find(email: string): Promise<Person> {
    const { rows } = await sql<Person>`
      select users.email, users.id as user_id, workspaces.id as workspace_id, workspaces.slug
      from users left join memberships on memberships.user_id = users.id
        left join workspaces on workspaces.id = memberships.workspace_id
      where users.email = ${email}
      order by memberships.role = 'owner' desc nulls last, memberships.created_at limit 1`.execute(this.#db);
    const [person] = rows;
    if (!person) throw new Error(`${email} is not registered`);
    return person;
  }

  #signedIn({ email, userId, workspaceId, slug }: Person, cookie: string | undefined): SignedInUser {
    const verify = async () => {
      await sql`update users set email_verified_at = now() where id = ${userId}`.execute(this.#db);
    };
    const ids = { email, userId, workspaceId: workspaceId ?? undefined, verify };
    const user = new SignedInUser(this.url, cookie, ids);
    return this.#memberships === 2 && slug ? new MemberOfTwo(user, `/w/${slug}`) : user;
  }

  /** The membership is older than that in the user's own workspace, so that the first one found is the wrong one. */
  async #joinCommon(userId: UserId): Promise<void> {
    this.#common ??= insertUser(this.#db);
    await sql`
      insert into memberships (user_id, workspace_id, role, created_at)
      values (${userId}, ${await this.#common}, 'viewer', now() - interval '1 day')`.execute(this.#db);
  }
}

interface Person {
  email: string;
  userId: UserId;
  workspaceId: WorkspaceId | null;
  slug: string | null;
}
