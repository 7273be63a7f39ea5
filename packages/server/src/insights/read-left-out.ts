import type { LeftOut } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import type { Definition } from "../outcomes/definition.ts";
import { readDefinitions } from "../outcomes/read-definitions.ts";
import { isOfRelease } from "../traces/decision-conditions.ts";
import type { DayRange } from "./days/read-days.ts";
import type { NamedRuns } from "./names/find-runs.ts";
import { startedIn } from "./started-in.ts";

/** Says which scores are missing of the runs that are not counted. `runs` is their number. */
export async function readLeftOut(
  db: Database,
  workspaceId: WorkspaceId,
  { range, agent, release, runs }: NamedRuns & { range: DayRange; runs: number },
): Promise<LeftOut> {
  if (runs === 0) return { runs, missing: [] };
  const definitions = await readDefinitions(db, workspaceId);
  const wanted = agent === undefined ? undefined : agentHash(agent);
  // Runs of other definitions are never unknown, or lack the same score.
  const isNeededByAll = (name: string) =>
    [...definitions].every(({ definition }) => !hasUnknown(definition) || neededNames(definition).has(name));
  const missing = new Map<string, LeftOut["missing"][number]>();
  for (const { agentHash: own, definition } of definitions) {
    const isOfDefinition =
      own === undefined
        ? sql`agent_hash <> all(${definitions.agentHashes}::bigint[])`
        : sql`agent_hash = ${own}`;
    for (const [name, isNotAsked] of neededNames(definition)) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from traces
        where workspace_id = ${workspaceId} and outcome = 2 and decision_types <> 0 and ${startedIn(range)} and ${isOfDefinition}
          and ${wanted === undefined ? sql`true` : sql`agent_hash = ${wanted}`}
          and ${release === undefined ? sql`true` : isOfRelease(release)}
          and id not in (
            select trace_id from scores where workspace_id = ${workspaceId} and name = ${name} and not is_waiting)`.execute(
        db,
      );
      const count = rows[0]?.count ?? 0;
      const isOfSomeAgents = agent === undefined && !isNeededByAll(name);
      const known = missing.get(name) ?? {
        name,
        runs: 0,
        ...(isNotAsked && { isNotAsked }),
        ...(isOfSomeAgents && { isOfSomeAgents }),
      };
      if (count > 0) missing.set(name, { ...known, runs: known.runs + count });
    }
  }
  return {
    runs,
    missing: [...missing.values()].sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1)),
  };
}

const hasUnknown = ({ bad }: Definition) =>
  bad.some((condition) => "missing" in condition && (condition.missing ?? "good") !== "good");

/** The scores whose absence makes a run unknown, and whether it does so only where nobody was asked for them. */
const neededNames = ({ bad }: Definition) =>
  new Map(
    bad.flatMap((condition): [string, boolean][] =>
      condition.kind === "score" && (condition.missing === "unknown" || condition.missing === "asked")
        ? [[condition.name, condition.missing === "asked"]]
        : [],
    ),
  );
