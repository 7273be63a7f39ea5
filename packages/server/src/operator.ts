import { parseBatch, UNLIMITED_SESSIONS, type Workspace } from "@whytrace/contract";
import { sql } from "kysely";
import { addUser } from "./accounts/add-user.ts";
import { issueLink } from "./accounts/sign-in-link.ts";
import { Passwords } from "./auth/passwords.ts";
import { runInTimeSlices } from "./concurrency/run-in-time-slices.ts";
import { readMaskingConfig } from "./config.ts";
import { Connections } from "./db/connections.ts";
import { createDatabase, createPool, type Database } from "./db/database.ts";
import { pendingMigrations } from "./db/migrate.ts";
import type { WorkspaceId } from "./db/workspace-id.ts";
import { addModelUsage } from "./ingest/add-model-usage.ts";
import { Live } from "./live/live.ts";
import { Maskings } from "./masking/maskings.ts";
import {
  type InvitedPerson,
  invitePeople,
  type OperatorInvitation,
} from "./members/operator/invite-people.ts";
import { type ListedWorkspace, listAllWorkspaces } from "./members/operator/list-all-workspaces.ts";
import { openWorkspaceFor } from "./members/operator/open-workspace-for.ts";
import { setOwner } from "./members/operator/set-owner.ts";
import { resetSecondFactor } from "./second-factor/reset-second-factor.ts";
import { type Recount, recountTraces } from "./trace-store/maintain/recount-traces.ts";
import { type RepriceOptions, type Repricing, repriceTraces } from "./trace-store/maintain/reprice-traces.ts";
import { currentMasking } from "./trace-store/masking/current-masking.ts";
import { TraceStore } from "./trace-store/store/store-traces.ts";
import { getTrace, type StreamedTrace } from "./traces/get-trace.ts";

const ONE_OF_EACH = {
  account: 1,
  read: 1,
  readPerWorkspace: 1,
  readSecondsPerMinute: 60,
  write: 1,
  writePerWorkspace: 1,
  isSharded: false,
};

interface OwnedWorkspace {
  workspaceId: WorkspaceId;
  slug: string;
  /** Of the owner, or of the first one by address. */
  email: string;
}

/** Operations of the command line that work directly on the database, without a running server. */
export class Operator {
  readonly #connections: Connections;
  readonly #db: Database;
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
    this.#connections = new Connections(databaseUrl, ONE_OF_EACH);
    this.#db = this.#connections.account;
  }

  /** Adds a user with an unlimited plan, for private installations; returns false if the address has an account. */
  addUser(email: string, name: string): Promise<boolean> {
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

  /** For a person who lost every second factor; returns false if no user has the address. */
  resetSecondFactor(email: string): Promise<boolean> {
    return resetSecondFactor(this.#db, email);
  }

  listWorkspaces(): Promise<ListedWorkspace[]> {
    return listAllWorkspaces(this.#db);
  }

  /** Creates a workspace with an unlimited plan; returns undefined if no user has the address. */
  createWorkspace(name: string, owner: string): Promise<Workspace | undefined> {
    return openWorkspaceFor(this.#db, owner, { name, freeSessionsPerDay: UNLIMITED_SESSIONS });
  }

  /** For a workspace whose only owner is gone. */
  setOwner(slug: string, email: string): ReturnType<typeof setOwner> {
    return setOwner(this.#db, slug, email);
  }

  /** Invites people, by links or also by mail; returns undefined if no workspace has the slug. */
  invitePeople(
    slug: string,
    people: readonly InvitedPerson[],
    options: { publicUrl: string; isMailed: boolean },
  ): Promise<OperatorInvitation[] | undefined> {
    return invitePeople(this.#db, slug, people, options);
  }

  /** Stores traces within the limit of the workspace's plan. */
  async storeTraces(publicUrl: string, workspaceId: WorkspaceId, traces: unknown[]): Promise<number> {
    const body = JSON.stringify({ traces });
    // This process has no streams. Running servers find the changes with their periodic check.
    const live = new Live(this.#db);
    const maskings = new Maskings(this.#db, readMaskingConfig(), currentMasking);
    const store = new TraceStore({ connections: this.#connections, publicUrl, live, maskings });
    const batch = parseBatch({ traces });
    await runInTimeSlices(addModelUsage(batch));
    return store.store({ workspaceId }, batch, body.length);
  }

  /** Reads a trace of any user; returns undefined if no trace has the id. */
  async readTrace(traceId: string): Promise<StreamedTrace | undefined> {
    const { rows } = await sql<{ workspaceId: WorkspaceId }>`
      select workspace_id from trace_owners where trace_id = ${traceId}`.execute(this.#db);
    const [owner] = rows;
    return owner && getTrace(this.#connections.reads, owner.workspaceId, traceId, "whole");
  }

  /**
   * Counts the traces of one user, or of all users, again; yields what was wrong, user by user. Yields nothing if no user
   * has the address.
   */
  async *recount(email?: string): AsyncGenerator<{ email: string } & Recount> {
    const workspaces = await this.ownedWorkspaces(email);
    // Counting millions of rows takes longer than a request may.
    const noTimeouts = { statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 };
    const db = createDatabase(createPool(this.#databaseUrl, { max: 2, ...noTimeouts }));
    try {
      for (const owned of workspaces)
        yield { email: owned.email, ...(await recountTraces(db, owned.workspaceId)) };
    } finally {
      await db.destroy();
    }
  }

  /**
   * Computes the costs of one user's traces, or of all users', again; yields what changed, user by user. Yields nothing if
   * no user has the address.
   */
  async *reprice(options: RepriceOptions, email?: string): AsyncGenerator<{ email: string } & Repricing> {
    for (const owned of await this.ownedWorkspaces(email))
      yield { email: owned.email, ...(await repriceTraces(this.#db, owned.workspaceId, options)) };
  }

  /** The workspaces of which the user with this address is an owner, or all workspaces with an owner. Each is named once. */
  async ownedWorkspaces(email?: string): Promise<OwnedWorkspace[]> {
    const address = email?.toLowerCase() ?? null;
    const { rows } = await sql<OwnedWorkspace>`
      select workspaces.id as workspace_id, workspaces.slug, min(users.email) as email
      from workspaces
        join memberships on memberships.workspace_id = workspaces.id and memberships.role = 'owner'
        join users on users.id = memberships.user_id
      where ${address}::text is null or users.email = ${address}
      group by workspaces.id order by min(users.email), workspaces.id`.execute(this.#db);
    return rows;
  }

  /** The version of PostgreSQL and the pending migrations. */
  async describe(): Promise<{ version: string; pending: string[] }> {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(this.#db);
    return { version: rows[0]?.version ?? "unknown", pending: await pendingMigrations(this.#db) };
  }

  async close(): Promise<void> {
    await this.#connections.end();
  }
}
