import {
  maskText,
  type NoPartnerReason,
  type Partner,
  type PartnerKind,
  type PartnerList,
  type Status,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts, decodeDecisionPath } from "../../decision-facts/decode-decision-facts.ts";
import { type ReleasedTrace, releaseOf } from "../../decision-facts/release.ts";
import type { RunLearner } from "../blame/run-learner.ts";
import { suggestPartner } from "../blame/suggest-partner.ts";
import { alignSteps } from "./align-steps.ts";
import { findBranch } from "./find-branch.ts";
import {
  findInEarlierReleases,
  findNeighbour,
  findNeighbours,
  findSameError,
  type Neighbour,
  type PathOfRun,
} from "./find-neighbours.ts";
import { FACTS_OF_LONG_RUN, runSteps } from "./run-steps.ts";
import { type Bytes, commonLength } from "./step-path.ts";

interface StoredRun extends ReleasedTrace {
  name: string;
  sessionId: string | null;
  decisions: number;
  agentHash: number | null;
  path: Bytes | null;
  facts: Bytes | null;
  /** Only if the run failed. */
  failedFacts: Bytes | null;
  startedAt: string;
}

const MAX_SESSION_RUNS = 10;

/**
 * Finds runs to compare a run with. If it went wrong: the one that chose otherwise at the first suspect. Then completed runs of the
 * same agent that agree with it the longest and then chose otherwise, or chose `step`; completed runs that decided the same; completed runs of earlier releases, which may be among
 * the others, too; failed runs with the same error; and other runs of its session. Undefined if the workspace has no trace with this id.
 */
export async function listPartners(
  { reads, learner }: { reads: FairDatabase; learner: RunLearner },
  workspaceId: WorkspaceId,
  traceId: string,
  step: number | undefined,
): Promise<PartnerList | undefined> {
  const suggested = step === undefined ? await suggestPartner(learner, workspaceId, traceId) : undefined;
  return reads.run(workspaceId, (db) => readPartners(db, workspaceId, traceId, { step, suggested }));
}

interface WantedPartners {
  step: number | undefined;
  /** The id of the run that comes first. */
  suggested: string | undefined;
}

async function readPartners(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  { step, suggested }: WantedPartners,
): Promise<PartnerList | undefined> {
  const { rows } = await sql<StoredRun>`
    select name, session_id, decision_point_count as decisions, agent_hash, decision_path as path,
      ${FACTS_OF_LONG_RUN} as facts, case when status = 'ERROR' then decision_facts end as failed_facts, tags, service_version, started_at
    from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  const [run] = rows;
  if (!run) return undefined;
  const agent = maskText(run.name);
  const { agentHash, path, facts } = run;
  if (agentHash === null || path === null)
    return { agent, partners: [], reason: run.decisions === 0 ? "no-decisions" : "not-read" };
  const decided = { traceId, agentHash, path, facts };
  const found = await findPartners(db, workspaceId, decided, { step, suggested });
  if (step === undefined) found.push(...(await findEarlier(db, workspaceId, decided, run)));
  const reason: NoPartnerReason = step === undefined ? "no-other-run" : "no-such-choice";
  const failed = step === undefined ? await findFailed(db, workspaceId, decided, run) : [];
  const ids = new Set([...found, ...failed].map((partner) => partner.traceId).concat(traceId));
  const session = await readSession(db, workspaceId, run.sessionId, ids);
  return { agent, partners: [...found, ...failed, ...session], reason: found.length === 0 ? reason : null };
}

async function findPartners(
  db: Database,
  workspaceId: WorkspaceId,
  run: PathOfRun,
  { step, suggested }: WantedPartners,
): Promise<Partner[]> {
  const steps = runSteps(run);
  if (step !== undefined) {
    const branches = await findBranch(db, workspaceId, run, step);
    return sortBySimilarity(run, branches).map((one) => toPartner(one, "otherwise-well"));
  }
  const { same, others } = await findNeighbours(db, workspaceId, run);
  const first = suggested === undefined ? [] : await findNeighbour(db, workspaceId, run, suggested);
  const isOther = ({ id }: Neighbour) => id !== suggested;
  const sorted = sortBySimilarity(run, [...others, ...same].filter(isOther));
  // Runs with the same path may choose otherwise after the end of the path.
  const isSame = ({ sameDecisions }: SimilarRun) => sameDecisions === steps.length;
  return [
    ...sortBySimilarity(run, first).map((one) => toPartner(one, "otherwise-well")),
    ...sorted.filter((one) => !isSame(one)).map((one) => toPartner(one, "otherwise-well")),
    ...sorted.filter(isSame).map((one) => toPartner(one, "same-well")),
  ];
}

/** Completed runs of other releases. None if the run has no release. */
async function findEarlier(
  db: Database,
  workspaceId: WorkspaceId,
  run: PathOfRun,
  stored: StoredRun,
): Promise<Partner[]> {
  const release = releaseOf(stored);
  if (release === null) return [];
  const { startedAt } = stored;
  const found = await findInEarlierReleases(db, workspaceId, run, { release, startedAt });
  return sortBySimilarity(run, found).map((one) => toPartner(one, "release-well"));
}

/** Runs that failed with the same error as a run that failed. */
async function findFailed(
  db: Database,
  workspaceId: WorkspaceId,
  run: PathOfRun,
  { failedFacts }: StoredRun,
): Promise<Partner[]> {
  const [fingerprint] = (failedFacts && decodeDecisionFacts(failedFacts)?.fingerprints) ?? [];
  if (fingerprint === undefined) return [];
  const found = await findSameError(db, workspaceId, run, fingerprint);
  return sortBySimilarity(run, found).map((one) => ({ ...toPartner(one, "same-error"), status: "ERROR" }));
}

interface SimilarRun extends Neighbour {
  sameDecisions: number;
}

/** The longest common beginning first, then runs that somebody judged, the fewest other differences, and the newest. */
function sortBySimilarity(run: PathOfRun, neighbours: Neighbour[]): SimilarRun[] {
  const steps = runSteps(run);
  const first = decodeDecisionPath(run.path);
  return neighbours
    .map((neighbour) => {
      const path = decodeDecisionPath(neighbour.path);
      const edits = first.length + path.length - 2 * alignSteps(first, path).length;
      return { ...neighbour, edits, sameDecisions: commonLength(steps, runSteps(neighbour)) };
    })
    .sort(
      (a, b) =>
        b.sameDecisions - a.sameDecisions ||
        Number(b.isAnswered) - Number(a.isAnswered) ||
        a.edits - b.edits ||
        Date.parse(b.startedAt) - Date.parse(a.startedAt),
    );
}

const toPartner = (run: SimilarRun, kind: PartnerKind): Partner => ({
  kind,
  traceId: run.id,
  name: run.name,
  status: "COMPLETED",
  release: releaseOf(run),
  startedAt: run.startedAt,
  sameDecisions: run.sameDecisions,
});

/** The newest other runs of the session. */
async function readSession(
  db: Database,
  workspaceId: WorkspaceId,
  sessionId: string | null,
  except: ReadonlySet<string>,
): Promise<Partner[]> {
  if (sessionId === null) return [];
  const { rows } = await sql<ReleasedTrace & { id: string; name: string; status: Status; startedAt: string }>`
    select id, name, status, tags, service_version, started_at from traces
    where workspace_id = ${workspaceId} and session_id = ${sessionId} and decision_point_count > 0
    order by started_at desc, id desc limit ${MAX_SESSION_RUNS + 1}`.execute(db);
  return rows
    .filter(({ id }) => !except.has(id))
    .map(({ id, tags, serviceVersion = null, ...row }) => ({
      ...row,
      kind: "session",
      traceId: id,
      release: releaseOf({ tags, serviceVersion }),
      sameDecisions: 0,
    }));
}
