import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { postponeDerivation } from "../trace-store/merge-statements.ts";
import type { TraceStore } from "../trace-store/store-traces.ts";
import type { TracePiece } from "../trace-store/trace-piece.ts";
import { FACTS } from "./facts-codec.ts";

const TRACES_AT_ONCE = 20;
/** Large enough to be stored in a transaction of its own. */
const LARGE_BYTES = 1024 * 1024;

/** Derives large traces whose spans have come in many pieces, when no span has come for a while. */
export async function deriveLate(db: Database, store: TraceStore, log: FastifyBaseLogger): Promise<void> {
  const { rows } = await sql<{ userId: string; id: string }>`
    select user_id, id from traces where derive_after < now() order by derive_after limit ${TRACES_AT_ONCE}`.execute(
    db,
  );
  for (const { userId, id } of rows) {
    const nothing: TracePiece = {
      id,
      spans: [],
      events: [],
      hasRoot: false,
      loggedIds: "all",
      part: undefined,
      bytes: 0,
    };
    const pieces = new Map([[id, nothing]]);
    try {
      await store.merge(
        { userId },
        { pieces, facts: FACTS, isExistingOnly: true, isLate: true },
        LARGE_BYTES,
      );
    } catch (err) {
      log.error({ err, userId }, "a trace could not be derived");
      // Other traces come first, and the log is not filled.
      await postponeDerivation(db, userId, id);
    }
  }
}
