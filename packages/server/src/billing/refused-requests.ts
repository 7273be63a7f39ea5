import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { periodStartSql } from "./usage.ts";

/** A client that is refused may send many requests a second: they are written together. */
const WRITE_DELAY_MS = 1_000;

/** Counts requests with traces that come after the plan was used up, so that its owner learns how many since when. */
export class RefusedRequests {
  readonly #db: Database;
  readonly #log: FastifyBaseLogger;
  #counts = new Map<WorkspaceId, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db;
    this.#log = log;
  }

  count(workspaceId: WorkspaceId): void {
    this.#counts.set(workspaceId, (this.#counts.get(workspaceId) ?? 0) + 1);
    this.#timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref();
  }

  /** Writes what was counted. What cannot be written is lost: it is no usage. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [workspaceId, count] of counts)
      await this.#add(workspaceId, count).catch((err: unknown) =>
        this.#log.warn({ err }, "refused requests were not counted"),
      );
  }

  async #add(workspaceId: WorkspaceId, count: number) {
    const db = await this.#db.of(workspaceId);
    // An assigned expression must not contain a CASE with now() (`DISTRIBUTED_TABLES`).
    const { rows } = await sql<{ isCurrent: boolean }>`
      select coalesce(refused_since >= ${periodStartSql}, false) as is_current
      from subscriptions where workspace_id = ${workspaceId}`.execute(db);
    const change = rows[0]?.isCurrent
      ? sql`refused_requests = refused_requests + ${count}::bigint`
      : sql`refused_requests = ${count}::bigint, refused_since = now()`;
    await sql`update subscriptions set ${change} where workspace_id = ${workspaceId}`.execute(db);
  }
}
