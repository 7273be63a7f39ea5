import { agentHash, hash32 } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { NamedRuns } from "./names/find-runs.ts";

/** Conditions on rows of `traces`: runs of an agent and release that may have taken a step. */
export function tracesOfRuns(
  userId: string,
  { agent, release, step }: NamedRuns & { step: number },
): RawBuilder<unknown> {
  return sql.join(
    [
      sql`user_id = ${userId}`,
      sql`position(${bytesOf(step)}::bytea in decision_facts) > 0`,
      ...(agent === undefined ? [] : [sql`agent_hash = ${agentHash(agent)}`]),
      ...(release === undefined
        ? []
        : [sql`substring(decision_facts from 5 for 4) = ${bytesOf(hash32(release))}::bytea`]),
    ],
    sql` and `,
  );
}

function bytesOf(hash: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}
