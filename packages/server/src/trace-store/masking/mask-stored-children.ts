import { RawJson } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { Masker } from "../../masking/masker.ts";
import { decisionSearch } from "../rows/decision-search.ts";
import type { SpanFactsCodec } from "../rows/trace-piece.ts";
import type { TraceToMask } from "./trace-to-mask.ts";

interface ChildrenOptions {
  masking: CompiledMasking;
  codec: SpanFactsCodec;
  /** By trace id: the name of the trace, as it is now, by which its decisions can be found. */
  names: ReadonlyMap<string, string>;
}

/** Masks what the rows of a trace's children hold, and what its trace is derived from. Returns the traces in which something changed. */
export async function maskStoredChildren(
  trx: Database,
  workspaceId: WorkspaceId,
  traces: readonly TraceToMask[],
  options: ChildrenOptions,
): Promise<Set<string>> {
  const children = new StoredChildren(trx, workspaceId, traces);
  await children.maskSpans();
  await children.maskEvents();
  await children.maskDecisions(options);
  await children.maskOtlpParts(options);
  await children.maskProblems(options);
  return children.changed;
}

class StoredChildren {
  /** The traces in which something changed. */
  readonly changed = new Set<string>();
  readonly #trx: Database;
  readonly #workspaceId: WorkspaceId;
  readonly #traces: ReadonlyMap<string, TraceToMask>;

  constructor(trx: Database, workspaceId: WorkspaceId, traces: readonly TraceToMask[]) {
    this.#trx = trx;
    this.#workspaceId = workspaceId;
    this.#traces = new Map(traces.map((trace) => [trace.id, trace]));
  }

  get #ofTraces() {
    return sql`workspace_id = ${this.#workspaceId} and trace_id = any(${textList([...this.#traces.keys()])})`;
  }

  /** Masks rows one after the other and returns those that changed. */
  #changedRows<Row extends { traceId: string }>(
    rows: readonly Row[],
    mask: (row: Row, trace: TraceToMask) => Row,
  ): Promise<Row[]> {
    return runInTimeSlices(this.#maskRows(rows, mask));
  }

  *#maskRows<Row extends { traceId: string }>(
    rows: readonly Row[],
    mask: (row: Row, trace: TraceToMask) => Row,
  ): Generator<undefined, Row[]> {
    const changed: Row[] = [];
    for (const row of rows) {
      const trace = this.#traces.get(row.traceId);
      const masked = trace ? mask(row, trace) : row;
      if (JSON.stringify(masked) !== JSON.stringify(row)) {
        this.changed.add(row.traceId);
        changed.push(masked);
      }
      yield;
    }
    return changed;
  }

  async maskSpans() {
    const { rows } = await sql<{
      traceId: string;
      id: string;
      name: string;
      statusMessage: string | null;
    }>`select trace_id, id, name, status_message from spans where ${this.#ofTraces}`.execute(this.#trx);
    const masked = await this.#changedRows(rows, (row, { fields }) => ({
      ...row,
      name: fields.name(row.name),
      statusMessage: fields.error(row.statusMessage),
    }));
    if (masked.length === 0) return;
    await sql`
      update spans set name = sent.name, status_message = sent."statusMessage"
      from json_to_recordset(${JSON.stringify(masked)}::json)
        as sent ("traceId" text, id text, name text, "statusMessage" text)
      where spans.workspace_id = ${this.#workspaceId} and spans.trace_id = sent."traceId" and spans.id = sent.id`.execute(
      this.#trx,
    );
  }

  async maskEvents() {
    const { rows } = await sql<{ traceId: string; id: string; name: string }>`
      select trace_id, id, name from events where ${this.#ofTraces}`.execute(this.#trx);
    const masked = await this.#changedRows(rows, (row, { fields }) => ({
      ...row,
      name: fields.name(row.name),
    }));
    if (masked.length === 0) return;
    await sql`
      update events set name = sent.name
      from json_to_recordset(${JSON.stringify(masked)}::json) as sent ("traceId" text, id text, name text)
      where events.workspace_id = ${this.#workspaceId} and events.trace_id = sent."traceId" and events.id = sent.id`.execute(
      this.#trx,
    );
  }

  async maskDecisions({ names }: ChildrenOptions) {
    const { rows } = await sql<{
      traceId: string;
      id: string;
      reasoning: string | null;
      chosen: string | null;
      alternatives: string;
      contextSnapshot: string | null;
      searchText: string;
      choice: string | null;
    }>`
      select trace_id, id, reasoning, chosen::text as chosen, alternatives::text as alternatives,
        context_snapshot::text as context_snapshot, search_text, choice
      from decision_points where ${this.#ofTraces}`.execute(this.#trx);
    const masked = await this.#changedRows(rows, (row, { name, fields }) => {
      const reasoning = fields.reasoning(row.reasoning);
      const chosen =
        row.chosen && Buffer.from(fields.storedOption(Buffer.from(row.chosen), false)).toString();
      const traceName = names.get(row.traceId) ?? name;
      const isFoundAsBefore = reasoning === row.reasoning && chosen === row.chosen && traceName === name;
      return {
        ...row,
        reasoning,
        chosen,
        alternatives: Buffer.from(fields.storedOption(Buffer.from(row.alternatives), true)).toString(),
        contextSnapshot:
          row.contextSnapshot &&
          Buffer.from(fields.storedPayload(Buffer.from(row.contextSnapshot), "context")).toString(),
        ...(!isFoundAsBefore && decisionSearch(traceName, { reasoning, chosen: chosen && rawJson(chosen) })),
      };
    });
    if (masked.length === 0) return;
    await sql`
      update decision_points set reasoning = sent.reasoning, chosen = sent.chosen_json, alternatives = sent.alternatives_json,
        context_snapshot = sent.context_json, search_text = sent."searchText", choice = sent.choice
      from (
        select *, chosen::json as chosen_json, alternatives::json as alternatives_json,
          "contextSnapshot"::json as context_json
        from json_to_recordset(${JSON.stringify(masked)}::json) as sent ("traceId" text, id text, reasoning text,
          chosen text, alternatives text, "contextSnapshot" text, "searchText" text, choice text)
      ) as sent
      where decision_points.workspace_id = ${this.#workspaceId} and decision_points.trace_id = sent."traceId"
        and decision_points.id = sent.id`.execute(this.#trx);
  }

  /** What the trace is derived from when more of it comes. */
  async maskOtlpParts({ masking, codec }: ChildrenOptions) {
    const { rows } = await sql<{ traceId: string; part: string; facts: Buffer }>`
      select trace_id, part::text as part, facts from otlp_parts where ${this.#ofTraces}`.execute(this.#trx);
    for (const { traceId, part, facts } of rows) {
      const trace = this.#traces.get(traceId);
      if (!trace) continue;
      // Counted with the rows that were made of them.
      const masker = new Masker(masking, { traceId, isStored: true });
      const masked = await runInTimeSlices(codec.mask(facts, masking, masker));
      if (masked === facts) continue;
      this.changed.add(traceId);
      await sql`
        update otlp_parts set facts = ${Buffer.from(masked)}
        where workspace_id = ${this.#workspaceId} and trace_id = ${traceId} and part = ${part}::bigint`.execute(
        this.#trx,
      );
    }
  }

  /** The messages by which issues are shown. */
  async maskProblems({ masking }: ChildrenOptions) {
    const { rows } = await sql<{ traceId: string; problem: string; text: string }>`
      select trace_id, problem::text as problem, text from problem_runs where ${this.#ofTraces}`.execute(
      this.#trx,
    );
    // Counted with the messages that they were made of.
    const masked = await this.#changedRows(rows, (row) => {
      const masker = new Masker(masking, { traceId: row.traceId, isStored: true });
      return { ...row, text: masker.text(row.text, "errors") };
    });
    if (masked.length === 0) return;
    await sql`
      update problem_runs set text = sent.text
      from json_to_recordset(${JSON.stringify(masked)}::json) as sent ("traceId" text, problem bigint, text text)
      where problem_runs.workspace_id = ${this.#workspaceId} and problem_runs.trace_id = sent."traceId"
        and problem_runs.problem = sent.problem`.execute(this.#trx);
  }
}

const rawJson = (text: string) => new RawJson(Buffer.from(text), 0, Buffer.byteLength(text));
