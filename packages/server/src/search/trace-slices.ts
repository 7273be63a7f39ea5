import { sql } from "kysely";
import type pg from "pg";
import { copyOut } from "../db/copy/copy-out.ts";
import { readSnapshot } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { CHILD_KINDS, partBatches, planTrace, type TraceSlice, versionQuery } from "../traces/trace-plan.ts";
import type { SearchSlice } from "./read-chunk.ts";

/** Of a trace that is too large to be searched at once: what is left to search. */
export class TraceSlices {
  readonly #workspaceId: WorkspaceId;
  readonly #traceId: string;
  #version = "";
  #slices: Omit<SearchSlice, "isContinued">[] = [];
  #planned: TraceSlice[] = [];
  #isContinued = false;

  constructor(workspaceId: WorkspaceId, traceId: string) {
    this.#workspaceId = workspaceId;
    this.#traceId = traceId;
  }

  /** Returns the next slice; undefined at the end. Plans what is left again if the trace has changed. */
  async next(client: pg.PoolClient): Promise<SearchSlice | undefined> {
    await readSnapshot(client, async () => {
      const [[version] = []] = await copyOut(client, versionQuery(this.#workspaceId, this.#traceId));
      if (String(version) === this.#version) return;
      this.#version = String(version);
      await this.#plan(client);
    });
    if (this.#slices.length === 0) {
      const planned = this.#planned.shift();
      if (!planned) return undefined;
      this.#slices = toSearchSlices(planned);
    }
    const slice = this.#slices.shift();
    const isContinued = this.#isContinued;
    this.#isContinued = true;
    return slice && { ...slice, isContinued };
  }

  async #plan(client: pg.PoolClient) {
    const slices = await planTrace(client, this.#workspaceId, this.#traceId, "whole");
    const [reached] = this.#planned;
    const isSearched = ({ kind, lastPosition }: TraceSlice) => {
      if (!this.#isContinued) return false;
      if (!reached) return true;
      const order = CHILD_KINDS.indexOf(kind) - CHILD_KINDS.indexOf(reached.kind);
      return order < 0 || (order === 0 && lastPosition < reached.firstPosition);
    };
    this.#planned = slices.filter((slice) => !isSearched(slice));
  }
}

/** Usually one. If the payloads lie in many parts, one for each batch of parts; the first has what is in none. */
function toSearchSlices({
  kind,
  firstPosition,
  lastPosition,
  parts,
}: TraceSlice): Omit<SearchSlice, "isContinued">[] {
  const [first, ...others] = partBatches(parts).map((batch) => ({
    parts: batch.map(({ part }) => part),
    positions: batch.flatMap(({ positions }) => positions),
  }));
  const inRange = sql`position between ${firstPosition} and ${lastPosition}`;
  const elsewhere = others.flatMap(({ positions }) => positions);
  const condition =
    elsewhere.length === 0 ? inRange : sql`${inRange} and position not in (${sql.join(elsewhere)})`;
  return [
    { kind, condition, parts: first?.parts ?? [] },
    ...others.map((batch) => ({
      kind,
      condition: sql`position in (${sql.join(batch.positions)})`,
      parts: batch.parts,
    })),
  ];
}
