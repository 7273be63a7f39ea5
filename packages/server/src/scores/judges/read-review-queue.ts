import type { JudgeQueue } from "@whytrace/contract/schemas/insights/judges";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { runsCalledBad } from "./compare-judgements.ts";
import type { JudgeQueueOptions } from "./read-judge-queue.ts";
import { readRunScores } from "./read-run-scores.ts";

interface ReviewQueueOptions extends Pick<JudgeQueueOptions, "name" | "author" | "agent" | "limit"> {
  /** The name of the scores of the judge that is reviewed, and which one; all judges of the name if undefined. */
  judge: string;
  judgeAuthor: string | undefined;
}

/**
 * Runs with which people can find out whether a judge is right: half of them from those that it calls bad, half from the rest. They
 * are in a random order that is the same each time, so that their place does not tell what the judge said.
 */
export async function readReviewQueue(
  db: Database,
  workspaceId: WorkspaceId,
  { judge, judgeAuthor, agent, name, author, limit }: ReviewQueueOptions,
): Promise<JudgeQueue> {
  const [judgements, definitions] = await Promise.all([
    readRunScores(db, workspaceId, { name: judge, author: judgeAuthor, agent }, ["judge", "code"]),
    readDefinitions(db, workspaceId),
  ]);
  const bad = runsCalledBad(judgements, (hash) => definitions.ofAgent(hash));
  const judged = [...new Set(judgements.map(({ traceId }) => traceId))];
  const { rows } = await sql<{ id: string }>`
    select id from traces where workspace_id = ${workspaceId} and id = any(${judged}::text[]) and status <> 'RUNNING'
      and not exists (select from scores where scores.workspace_id = ${workspaceId} and scores.trace_id = traces.id
        and scores.name = ${name} and scores.author = ${author})
    order by md5(id), id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const [called, rest] = [ids.filter((id) => bad.has(id)), ids.filter((id) => !bad.has(id))];
  // If one half is too short, the other one fills it up.
  const half = Math.max(Math.ceil(limit / 2), limit - rest.length);
  const fromCalled = called.slice(0, half);
  const chosen = new Set([...fromCalled, ...rest.slice(0, limit - fromCalled.length)]);
  return { traces: ids.filter((id) => chosen.has(id)), left: ids.length };
}
