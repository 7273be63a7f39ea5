import { afterFile } from "@whytrace/testing/after-file.ts";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { insertUser } from "@whytrace/testing/samples/insert-user.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { countIssues } from "./count-issues.ts";
import { IssuesLag } from "./issues-lag.ts";

// Without a server, whose workers would count, too.
const db = createDatabase(createPool(await createTestDatabase(), { max: 2 }), isDistributed ? {} : undefined);
afterFile(() => db.destroy());

/** A workspace with so many bad runs that were imported and are not counted. */
async function newWorkspace(runs: number): Promise<WorkspaceId> {
  const workspaceId = await insertUser(db);
  await sql`
    insert into trace_totals (workspace_id, version, problems_version) values (${workspaceId}, 1, 1)`.execute(
    db,
  );
  await sql`
    insert into problem_runs (workspace_id, trace_id, problem, kind, agent_hash, version, started_at, text, is_quiet)
    select ${workspaceId}, 'run ' || n, 7, 0, 1, 1, now(), 'policy outdated', true from generate_series(1, ${runs}) as n`.execute(
    db,
  );
  return workspaceId;
}

async function count(): Promise<{ turns: WorkspaceId[]; error: unknown }> {
  const turns: WorkspaceId[] = [];
  const error = await countIssues({
    db,
    lag: new IssuesLag(),
    stopping: new AbortController().signal,
    onCounted: () => {},
    onChanged: (workspaceId) => turns.push(workspaceId),
  }).catch((reason: unknown) => reason);
  return { turns, error };
}

const issuesOf = async (workspaceId: WorkspaceId) =>
  (
    await sql<{ number: number; status: string }>`
      select number, status from issues where workspace_id = ${workspaceId} order by number`.execute(db)
  ).rows;

it("a workspace that always fails stops neither the counting of others nor the end of their ignoring", async () => {
  const broken = [await newWorkspace(1), await newWorkspace(1)];
  const whole = await newWorkspace(1);
  broken.push(await newWorkspace(1));
  // Its next number is taken.
  for (const workspaceId of broken)
    await sql`
      insert into issues (workspace_id, number, first_problem, agent_hash, status) values (${workspaceId}, 1, 1, 1, 'open')`.execute(
      db,
    );
  const ignoring = await insertUser(db);
  await sql`
    insert into issues (workspace_id, number, first_problem, agent_hash, status, ignored, touched_at)
    values (${ignoring}, 1, 7, 1, 'ignored', '{"untilDate": "2020-01-01T00:00:00Z"}', now())`.execute(db);
  const { error } = await count();
  expect(error).toMatchObject({ errors: broken.map(() => expect.any(Error)) });
  expect(await issuesOf(whole)).toEqual([{ number: 1, status: "open" }]);
  expect(await issuesOf(ignoring)).toEqual([{ number: 1, status: "open" }]);
  await sql`delete from trace_totals where workspace_id = any(${broken}::uuid[])`.execute(db);
});

it("workspaces take turns: one with many runs does not keep the others waiting", async () => {
  const [first, large, last] = [await newWorkspace(1_200), await newWorkspace(1_200), await newWorkspace(1)];
  const { turns, error } = await count();
  expect(error).toBeUndefined();
  expect(turns.filter((one) => one === large)).toHaveLength(3);
  expect(new Set(turns.slice(0, 3))).toEqual(new Set([first, large, last]));
});
