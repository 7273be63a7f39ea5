import { hash32ToHex, type ReasonList } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isFailedOutcome } from "../../decision-facts/failed-outcome.ts";
import { OPEN_OUTCOME } from "../../decision-facts/outcome.ts";
import { HttpError } from "../../http/http-error.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { type OptionFigures, signatureFigures } from "../days/signature-figures.ts";
import { dayAfter } from "../insights-range.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { NO_SUCH_DECISION } from "../names/params.ts";
import { readNewestFacts } from "../read-newest-facts.ts";
import { wilsonIntervalBySession } from "../statistics/hypothesis-tests/wilson-interval.ts";
import { groupTexts } from "./group-texts.ts";

const MAX_READ_DECISIONS = 200;
const MAX_LISTED_REASONS = 20;
const MAX_REASON_LENGTH = 400;

interface ReasonsQuery extends NamedRuns {
  signature: number;
  /** Default: the most frequent option. */
  step: number | undefined;
}

interface ReadDecision {
  traceId: string;
  /** The session, or else the trace. */
  cluster: number | string;
  position: number;
  isFailed: boolean;
}

/** Why an option was chosen, in the words of the newest decisions. */
export async function listReasons(
  db: Database,
  workspaceId: WorkspaceId,
  days: DaysRead,
  { signature, step: wanted, ...named }: ReasonsQuery,
): Promise<ReasonList> {
  const figures = await signatureFigures(days.tally, findRuns(days.tally, named));
  const option = figures
    .find((one) => one.signature === signature)
    ?.options.find(({ step }) => wanted === undefined || step === wanted);
  if (!option) throw new HttpError(404, NO_SUCH_DECISION);
  const { step } = option;
  const decisions = await findDecisions(db, workspaceId, step, named, newestDays(days, option));
  const reasons = await readReasons(db, workspaceId, decisions);
  const texts = await runInTimeSlices(groupTexts(reasons));
  const groups = Map.groupBy(decisions, (_, index) => texts[index] ?? "");
  return {
    step: hash32ToHex(step),
    read: decisions.length,
    reasons: [...groups]
      .map(([text, members]) => ({ text, ...countReason(members), traceId: members[0]?.traceId ?? "" }))
      .sort((a, b) => b.decisions - a.decisions)
      .slice(0, MAX_LISTED_REASONS),
  };
}

/** The newest days with as many decisions as are read; undefined if there are none. */
function newestDays({ days }: DaysRead, { rows }: OptionFigures): DayRange | undefined {
  let [first, last, count] = ["", "", 0];
  for (const counted of days) {
    const decisions = counted.sum(rows).decisions;
    if (decisions === 0) continue;
    last ||= counted.day;
    first = counted.day;
    count += decisions;
    if (count >= MAX_READ_DECISIONS) break;
  }
  return last === "" ? undefined : { from: first, to: dayAfter(last) };
}

async function findDecisions(
  db: Database,
  workspaceId: WorkspaceId,
  step: number,
  named: NamedRuns,
  days: DayRange | undefined,
): Promise<ReadDecision[]> {
  if (!days) return [];
  const found = await readNewestFacts(db, workspaceId, { ...named, step }, days, MAX_READ_DECISIONS);
  return found
    .flatMap(({ id, cluster, decisions }) =>
      decisions
        .filter((decision) => decision.step === step && decision.outcome !== OPEN_OUTCOME)
        .map(({ position, type, outcome }) => ({
          traceId: id,
          cluster: cluster === 0 ? id : cluster,
          position,
          isFailed: isFailedOutcome(type, outcome),
        })),
    )
    .slice(0, MAX_READ_DECISIONS);
}

/** In the order of the decisions; empty where no reason was given. */
async function readReasons(
  db: Database,
  workspaceId: WorkspaceId,
  decisions: ReadDecision[],
): Promise<string[]> {
  const sent = decisions.map(({ traceId, position }, index) => ({ index, traceId, position }));
  const { rows } = await sql<{ index: number; reasoning: string | null }>`
    select listed.index, left(decision.reasoning, ${MAX_REASON_LENGTH}) as reasoning
    from json_to_recordset(${JSON.stringify(sent)}::json) as listed (index integer, "traceId" text, position integer)
      join decision_points as decision on decision.workspace_id = ${workspaceId}
        and decision.trace_id = listed."traceId" collate "C" and decision.position = listed.position`.execute(
    db.withoutPlugins(),
  );
  const reasons = new Map(rows.map(({ index, reasoning }) => [index, reasoning ?? ""]));
  return decisions.map((_, index) => reasons.get(index) ?? "");
}

function countReason(members: readonly ReadDecision[]) {
  const sessions = [...Map.groupBy(members, ({ cluster }) => cluster).values()].map((ofSession) => ({
    n: ofSession.length,
    b: ofSession.filter(({ isFailed }) => isFailed).length,
  }));
  const sum = (of: (session: { n: number; b: number }) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  const [decisions, failed] = [sum(({ n }) => n), sum(({ b }) => b)];
  const { low, high } = wilsonIntervalBySession({
    sessions: sessions.length,
    decisions,
    failed,
    decisionSquares: sum(({ n }) => n * n),
    products: sum(({ n, b }) => n * b),
    failedSquares: sum(({ b }) => b * b),
    failedShares: sum(({ n, b }) => (b * b) / n),
  });
  return { decisions, failed, low, high };
}
