import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { optionWithoutPayload } from "./option-without-payload.ts";
import type { NodeKind, OrderedNode } from "./trace-order.ts";
import { childrenOf } from "./trace-plan.ts";

/** Longer texts are cut. */
const MAX_TEXT_CHARACTERS = 2_000;
/** Options that are longer are not read: their names would not be worth it. */
const MAX_OPTIONS_BYTES = 64 * 1024;

interface NodeRow {
  position: number;
  id: string;
  type: string;
  /** When it started or happened. */
  at: string;
}

interface SpanNode extends NodeRow {
  kind: "span";
  name: string;
  status: string;
  statusMessage: string | null;
  durationMs: number | null;
  model: string | null;
  costUsd: number | null;
  tokenCount: number | null;
}

interface DecisionNode extends NodeRow {
  kind: "decision";
  chosen: unknown;
  alternatives: unknown[];
  reasoning: string | null;
}

interface EventNode extends NodeRow {
  kind: "event";
  name: string;
}

export type TraceNodeRow = (SpanNode | DecisionNode | EventNode) & { depth: number };

/** Reads what a list of records shows of some of them, in the order given. Options have only their names. */
export async function readNodes(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  nodes: OrderedNode[],
): Promise<TraceNodeRow[]> {
  const own = childrenOf(workspaceId, traceId);
  const isWanted = (kind: NodeKind) => {
    const positions = nodes.flatMap((node) => (node.kind === kind ? node.position : []));
    return positions.length === 0 ? undefined : sql`${own} and position in (${sql.join(positions)})`;
  };
  const [spans, decisions, events] = await Promise.all([
    select<Omit<SpanNode, "kind">>(
      db,
      sql`select position, id, type, started_at as at, name, status, left(status_message, ${MAX_TEXT_CHARACTERS}) as status_message,
        duration_ms, model, cost_usd, token_count from spans`,
      isWanted("span"),
    ),
    select<
      Omit<DecisionNode, "kind" | "chosen" | "alternatives"> & {
        chosen: string | null;
        alternatives: string | null;
      }
    >(
      db,
      sql`select position, id, type, timestamp as at, ${shortJson("chosen")}, ${shortJson("alternatives")},
        left(reasoning, ${MAX_TEXT_CHARACTERS}) as reasoning from decision_points`,
      isWanted("decision"),
    ),
    select<Omit<EventNode, "kind">>(
      db,
      sql`select position, id, type, timestamp as at, name from events`,
      isWanted("event"),
    ),
  ]);
  const found = new Map<string, SpanNode | DecisionNode | EventNode>();
  for (const span of spans) found.set(`span ${span.position}`, { kind: "span", ...span });
  for (const event of events) found.set(`event ${event.position}`, { kind: "event", ...event });
  for (const { chosen, alternatives, ...decision } of decisions)
    found.set(`decision ${decision.position}`, {
      kind: "decision",
      ...decision,
      chosen: chosen === null ? "(too long to show)" : parseOption(chosen),
      alternatives: alternatives === null ? ["(too long to show)"] : parseOptions(alternatives),
    });
  return nodes.flatMap(({ kind, position, depth }) => {
    const node = found.get(`${kind} ${position}`);
    return node ? { ...node, depth } : [];
  });
}

/** JSON's null if there is no option, SQL's null if it is too long. */
const shortJson = (column: string) => sql`
  case when ${sql.ref(column)} is null then 'null'::json
    when octet_length(${sql.ref(column)}::text) <= ${MAX_OPTIONS_BYTES} then ${sql.ref(column)} end as ${sql.ref(column)}`;

const parseOption = (json: string): unknown => JSON.parse(optionWithoutPayload(Buffer.from(json)).toString());

function parseOptions(json: string): unknown[] {
  const options = parseOption(json);
  return Array.isArray(options) ? options : [];
}

async function select<Row>(
  db: Database,
  query: RawBuilder<unknown>,
  condition: RawBuilder<unknown> | undefined,
): Promise<Row[]> {
  if (!condition) return [];
  const { rows } = await sql<Row>`${query} where ${condition}`.execute(db);
  return rows;
}
