import { type FindingItem, type Findings, hash32ToHex, signatureToHex } from "@whytrace/contract";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import type { FindingRow, FindingsBody } from "../findings-body.ts";
import type { StoredList } from "../stored/read-stored-findings.ts";
import { type FindingNames, readFindingNames } from "./read-finding-names.ts";

/** Of all agents together. */
const MAX_ROWS = 200;
const GROUPS = ["worse", "undecided", "apart"];
/** More open runs make a rate doubtful. */
const MAX_OPEN_SHARE = 0.05;

export type DescribedFindings = Pick<
  Findings,
  | "computedAt"
  | "runs"
  | "badRuns"
  | "abandonedRuns"
  | "countedRuns"
  | "clusters"
  | "chance"
  | "rows"
  | "notes"
>;

/** Puts the lists of agents together, and names what they list. */
export async function describeFindings(
  db: Database,
  workspaceId: WorkspaceId,
  lists: readonly StoredList[],
): Promise<DescribedFindings> {
  const listed = lists
    .flatMap((list) => list.body.rows.map((row) => ({ list, row })))
    .sort(({ row: one }, { row: other }) => compareRows(one, other))
    .slice(0, MAX_ROWS);
  const names = new Map<number, FindingNames>();
  for (const [agentHash, rows] of Map.groupBy(listed, ({ list }) => list.agentHash)) {
    const steps = new Set(rows.map(({ row }) => row.step));
    names.set(agentHash, await readFindingNames(db, workspaceId, agentHash, steps));
  }
  const sum = (figure: (body: FindingsBody) => number) =>
    lists.reduce((total, { body }) => total + figure(body), 0);
  return {
    computedAt: lists.map(({ computedAt }) => computedAt).sort()[0] ?? null,
    runs: sum(({ runs }) => runs),
    badRuns: sum(({ badRuns }) => badRuns),
    abandonedRuns: sum(({ abandonedRuns }) => abandonedRuns),
    countedRuns: sum(({ countedRuns }) => countedRuns),
    clusters: sum(({ clusters }) => clusters),
    chance: sum(({ chance }) => chance),
    rows: listed.map(({ list, row }) => describeRow(row, list, names.get(list.agentHash))),
    notes: notesOf(lists.map(({ body }) => body)),
  };
}

function compareRows(one: FindingRow, other: FindingRow): number {
  return (
    GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group) ||
    (other.figures?.explains ?? 0) - (one.figures?.explains ?? 0) ||
    other.decisions - one.decisions ||
    one.step - other.step
  );
}

function describeRow(row: FindingRow, { since }: StoredList, names: FindingNames | undefined): FindingItem {
  const { kind, group, step, figures } = row;
  const named = names?.options.get(step);
  const entered = since.find((one) => one.kind === kind && one.group === group && one.step === step);
  return {
    agent: names?.agent ?? "",
    kind: kind === "chose" ? "chose" : "left-out",
    group,
    place: named?.place ?? null,
    signature: signatureToHex(row.signature),
    type: row.type,
    step: hash32ToHex(step),
    option: named?.option ?? "",
    isObserved: row.isObserved,
    explains: figures?.explains ?? null,
    togetherWith: row.togetherWith.map(hash32ToHex),
    ratio: figures?.ratio ?? null,
    hiddenReason: figures ? eValue(figures.ratio) : null,
    rate: figures?.rate ?? null,
    otherRate: figures?.otherRate ?? null,
    comparable: row.comparable,
    decisions: row.decisions,
    clusters: row.clusters,
    adjusted: figures?.adjusted ?? null,
    since: entered?.since ?? null,
    isAdjusted: row.isAdjusted,
    experiment: null,
  };
}

/** VanderWeele and Ding's E-value. */
const eValue = (ratio: number) => (ratio <= 1 ? 1 : ratio + Math.sqrt(ratio * (ratio - 1)));

/** Each has to be true of all agents together. */
function notesOf(bodies: readonly FindingsBody[]): Findings["notes"] {
  const notes: Findings["notes"] = [];
  const read = ({ countedRuns, openRuns }: FindingsBody) => countedRuns + openRuns;
  const sum = (count: (body: FindingsBody) => number) =>
    bodies.reduce((total, body) => total + count(body), 0);
  if (sum(({ openRuns }) => openRuns) > MAX_OPEN_SHARE * sum(read)) notes.push("open-runs");
  if (bodies.some((body) => body.runs > read(body))) notes.push("newest-runs");
  if (bodies.length > 0 && bodies.every(({ hasSituation }) => !hasSituation)) notes.push("no-situation");
  return notes;
}
