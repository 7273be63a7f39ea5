import type { WhyList } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { Definition } from "../../outcomes/definition.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import type { DayRange } from "../days/read-days.ts";
import { startedIn } from "../started-in.ts";

/** Says which scores are missing of the runs that are not counted. `runs` is their number. */
export async function readLeftOut(
  db: Database,
  workspaceId: WorkspaceId,
  { range, agent, runs }: { range: DayRange; agent: string | undefined; runs: number },
): Promise<WhyList["leftOut"]> {
  if (runs === 0) return { runs, missing: [] };
  const definitions = await readDefinitions(db, workspaceId);
  const wanted = agent === undefined ? undefined : agentHash(agent);
  const missing = new Map<string, number>();
  for (const { agentHash: own, definition } of definitions) {
    const isOfDefinition =
      own === undefined
        ? sql`agent_hash <> all(${definitions.agentHashes}::bigint[])`
        : sql`agent_hash = ${own}`;
    for (const name of neededNames(definition)) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from traces
        where workspace_id = ${workspaceId} and outcome = 2 and decision_types <> 0 and ${startedIn(range)} and ${isOfDefinition}
          and ${wanted === undefined ? sql`true` : sql`agent_hash = ${wanted}`}
          and id not in (
            select trace_id from scores where workspace_id = ${workspaceId} and name = ${name} and not is_waiting)`.execute(
        db,
      );
      const count = rows[0]?.count ?? 0;
      if (count > 0) missing.set(name, (missing.get(name) ?? 0) + count);
    }
  }
  return {
    runs,
    missing: [...missing]
      .map(([name, count]) => ({ name, runs: count }))
      .sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1)),
  };
}

/** The scores whose absence makes a run unknown. */
const neededNames = ({ bad }: Definition) =>
  new Set(
    bad.flatMap((condition) =>
      condition.kind === "score" && (condition.missing === "unknown" || condition.missing === "asked")
        ? condition.name
        : [],
    ),
  );
