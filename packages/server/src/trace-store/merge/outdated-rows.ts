import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/**
 * Rows of a workspace's traces that are deleted before new ones are copied. They are collected, so that a request with pieces of
 * many traces takes one statement for each table.
 */
export class OutdatedRows {
  readonly #decisionPoints: { traceId: string; id: string }[] = [];
  readonly #payloads: { traceId: string; firstPart: number }[] = [];
  readonly #otlpParts: { traceId: string; firstPart: string }[] = [];

  addDecisionPoint(traceId: string, id: string) {
    this.#decisionPoints.push({ traceId, id });
  }

  /** Adds the parts of packed payloads from `firstPart` on. */
  addPayloads(traceId: string, firstPart: number) {
    this.#payloads.push({ traceId, firstPart });
  }

  /** Adds what a trace is derived from, from `firstPart` on; the caller stores it again, as one part. */
  addOtlpParts(traceId: string, firstPart: string) {
    this.#otlpParts.push({ traceId, firstPart });
  }

  async delete(trx: Database, workspaceId: WorkspaceId): Promise<void> {
    const statements = [];
    if (this.#decisionPoints.length > 0)
      statements.push(sql`/* prepared */
        delete from decision_points using
          json_to_recordset(${JSON.stringify(this.#decisionPoints)}::json) as outdated ("traceId" text, id text)
        where workspace_id = ${workspaceId} and trace_id = outdated."traceId" and decision_points.id = outdated.id`);
    if (this.#payloads.length > 0)
      statements.push(sql`/* prepared */
        delete from trace_payloads using
          json_to_recordset(${JSON.stringify(this.#payloads)}::json) as outdated ("traceId" text, "firstPart" integer)
        where workspace_id = ${workspaceId} and trace_id = outdated."traceId" and part >= outdated."firstPart"`);
    if (this.#otlpParts.length > 0)
      statements.push(sql`/* prepared */
        delete from otlp_parts using
          json_to_recordset(${JSON.stringify(this.#otlpParts)}::json) as outdated ("traceId" text, "firstPart" bigint)
        where workspace_id = ${workspaceId} and trace_id = outdated."traceId" and part >= outdated."firstPart"`);
    await Promise.all(statements.map((statement) => statement.execute(trx)));
  }
}
