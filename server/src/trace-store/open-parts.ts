import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy-out.ts";
import { type OpenPartsOf, openPartsQuery, TracePayloads } from "../payloads/trace-payloads.ts";

/** How much is read ahead, before compression. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface ExpectedParts extends OpenPartsOf {
  /** Bytes of payloads in them. */
  bytes: number;
}

/** Reads the last parts of a user's traces. Those that are expected are read ahead, of many traces with one query. */
export class OpenParts {
  readonly #client: pg.PoolClient;
  readonly #userId: string;
  #expected: ExpectedParts[] = [];
  readonly #ahead = new Map<string, CopiedRow[]>();

  constructor(client: pg.PoolClient, userId: string) {
    this.#client = client;
    this.#userId = userId;
  }

  /** Says what will be read, in this order. */
  expect(expected: ExpectedParts[]) {
    this.#expected = expected;
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
    const taken = this.#expected.slice(start, end);
    this.#expected = this.#expected.slice(end);
    return taken;
  }

  async #readAhead(traces: OpenPartsOf[]) {
    for (const { traceId } of traces) this.#ahead.set(traceId, []);
    const rows = await copyOut(this.#client, openPartsQuery(this.#userId, traces));
    for (const [traceId, ...row] of rows) this.#ahead.get(traceId?.toString() ?? "")?.push(row);
  }
}
