import type pg from "pg";
import { type CopiedRow, copyOut } from "../../db/copy/copy-out.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type OpenPartsOf, openPartsQuery, TracePayloads } from "../../payloads/trace-payloads.ts";

/** How much is read ahead, before compression. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface ExpectedParts extends OpenPartsOf {
  /** Bytes of payloads in them. */
  bytes: number;
}

/** Reads the last parts of a workspace's traces. Those that are expected are read ahead, of many traces with one query. */
export class OpenParts {
  readonly #client: pg.PoolClient;
  readonly #workspaceId: WorkspaceId;
  readonly #expected: ExpectedParts[];
  readonly #ahead = new Map<string, CopiedRow[]>();

  /** `expected` says what will be read, in this order. */
  constructor(client: pg.PoolClient, workspaceId: WorkspaceId, expected: ExpectedParts[]) {
    this.#client = client;
    this.#workspaceId = workspaceId;
    this.#expected = [...expected];
  }

  /** Reads the parts of a trace from `firstPart` on. */
  async read(traceId: string, firstPart: number): Promise<TracePayloads> {
    if (!this.#ahead.has(traceId)) {
      const at = this.#expected.findIndex((expected) => expected.traceId === traceId);
      await this.#readAhead(at < 0 ? [{ traceId, firstPart }] : this.#takeExpected(at));
    }
    const rows = this.#ahead.get(traceId) ?? [];
    this.#ahead.delete(traceId);
    return new TracePayloads(rows);
  }

  #takeExpected(start: number): ExpectedParts[] {
    let bytes = 0;
    let end = start;
    do {
      bytes += this.#expected[end]?.bytes ?? 0;
      end += 1;
    } while (bytes + (this.#expected[end]?.bytes ?? MAX_BYTES) <= MAX_BYTES);
    return this.#expected.splice(0, end).slice(start);
  }

  async #readAhead(traces: OpenPartsOf[]) {
    for (const { traceId } of traces) this.#ahead.set(traceId, []);
    const rows = await copyOut(this.#client, openPartsQuery(this.#workspaceId, traces));
    for (const [traceId, ...row] of rows) this.#ahead.get(traceId?.toString() ?? "")?.push(row);
  }
}
