import { breakCycles, NO_SPAN } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { type CopiedRow, copyOut } from "../db/copy/copy-out.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { childrenOf } from "./trace-plan.ts";

/** In this order within the same millisecond: a decision comes before the spans it led to, and an event after them. */
const NODE_KINDS = ["decision", "span", "event"] as const;
export type NodeKind = (typeof NODE_KINDS)[number];
const SPAN = NODE_KINDS.indexOf("span");

/** A record of a trace: its kind, its position among the records of that kind, and how many spans contain it. */
export interface OrderedNode {
  kind: NodeKind;
  position: number;
  depth: number;
}

const NODE_BYTES = 12;
const NODES_PER_ROW = 10_000;
const NODES_PER_STEP = 2_000;
const NONE = NO_SPAN;

/**
 * Selects kind, position and position of the containing span, -1 if there is none, of all records in the order of time. Each
 * span is sorted before the records that name it: a join could compare all with all if the table has no statistics yet.
 */
function nodesQuery(workspaceId: WorkspaceId, traceId: string): RawBuilder<unknown> {
  const own = childrenOf(workspaceId, traceId);
  const nodes = (kind: NodeKind, table: string, at: string, parent: string) => sql`
    select ${sql.ref(parent)} as span, null::integer as span_position, ${sql.lit(NODE_KINDS.indexOf(kind))} as kind,
      position, ${sql.ref(at)} as at
    from ${sql.table(table)} where ${own}`;
  return sql`
    select string_agg(int4send(kind) || int4send(position) || int4send(parent), ''::bytea order by place) from (
      select kind, position, parent, row_number() over (order by at, kind, position) - 1 as place from (
        select kind, position, at,
          coalesce(first_value(span_position) over (partition by span order by span_position), ${sql.lit(NONE)}) as parent
        from (
          select id as span, position as span_position, null as kind, null as position, null as at from spans where ${own}
          union all ${nodes("span", "spans", "started_at", "parent_span_id")}
          union all ${nodes("decision", "decision_points", "timestamp", "parent_span_id")}
          union all ${nodes("event", "events", "timestamp", "span_id")}) as named) as nodes
      where kind is not null) as placed
    group by place / ${sql.lit(NODES_PER_ROW)} order by place / ${sql.lit(NODES_PER_ROW)}`;
}

/**
 * The records of a trace in causal order: each span is followed by what happened inside it. It holds numbers only, 30 bytes a
 * record, so that a page of a large trace can be found without reading the trace.
 */
export class TraceOrder {
  readonly #kinds: Uint8Array;
  readonly #positions: Int32Array;
  /** Of each node: the span that contains it, the first node inside it, and the next node inside the same span. */
  readonly #parents: Int32Array;
  readonly #firsts: Int32Array;
  readonly #nexts: Int32Array;
  #firstRoot = NONE;

  private constructor(count: number) {
    this.#kinds = new Uint8Array(count);
    this.#positions = new Int32Array(count);
    this.#parents = new Int32Array(count);
    this.#firsts = new Int32Array(count).fill(NONE);
    this.#nexts = new Int32Array(count).fill(NONE);
  }

  static async read(client: pg.PoolClient, workspaceId: WorkspaceId, traceId: string): Promise<TraceOrder> {
    const rows = await copyOut(client, nodesQuery(workspaceId, traceId));
    const bytes = rows.reduce((sum, [nodes]) => sum + (nodes?.length ?? 0), 0);
    const order = new TraceOrder(bytes / NODE_BYTES);
    await runInTimeSlices(order.#build(rows));
    return order;
  }

  get length() {
    return this.#kinds.length;
  }

  /** The nodes from a place on. */
  *nodes(from: number): Generator<OrderedNode> {
    let place = 0;
    let depth = 0;
    for (let node = this.#firstRoot; node !== NONE; place += 1) {
      if (place >= from)
        yield {
          kind: NODE_KINDS[this.#kinds[node] ?? SPAN] ?? "span",
          position: this.#positions[node] ?? 0,
          depth,
        };
      const inside = this.#firsts[node] ?? NONE;
      if (inside !== NONE) {
        node = inside;
        depth += 1;
        continue;
      }
      while (node !== NONE && this.#nexts[node] === NONE) {
        node = this.#parents[node] ?? NONE;
        depth -= 1;
      }
      if (node !== NONE) node = this.#nexts[node] ?? NONE;
    }
  }

  *#build(rows: CopiedRow[]): Generator<undefined> {
    const spans = new Map<number, number>();
    let node = 0;
    for (const [nodes] of rows)
      for (let offset = 0; nodes && offset < nodes.length; offset += NODE_BYTES, node += 1) {
        const kind = nodes.readInt32BE(offset);
        const position = nodes.readInt32BE(offset + 4);
        this.#kinds[node] = kind;
        this.#positions[node] = position;
        // The position of the span, until the node of each span is known.
        this.#parents[node] = nodes.readInt32BE(offset + 8);
        if (kind === SPAN) spans.set(position, node);
        if (node % NODES_PER_STEP === 0) yield;
      }
    for (node = 0; node < this.length; node += 1) {
      this.#parents[node] = spans.get(this.#parents[node] ?? NONE) ?? NONE;
      if (node % NODES_PER_STEP === 0) yield;
    }
    // Nodes are in the order of time, so the first of a cycle is the one that started first.
    yield* breakCycles(this.#parents, (span) => span);
    yield* this.#link();
  }

  /** Nodes are in the order of time, and so are those inside each span. */
  *#link(): Generator<undefined> {
    const lasts = new Int32Array(this.length).fill(NONE);
    let lastRoot = NONE;
    for (let node = 0; node < this.length; node += 1) {
      const parent = this.#parents[node] ?? NONE;
      const last = parent === NONE ? lastRoot : (lasts[parent] ?? NONE);
      if (last !== NONE) this.#nexts[last] = node;
      else if (parent === NONE) this.#firstRoot = node;
      else this.#firsts[parent] = node;
      if (parent === NONE) lastRoot = node;
      else lasts[parent] = node;
      if (node % NODES_PER_STEP === 0) yield;
    }
  }
}
