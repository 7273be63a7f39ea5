import { type FindingItem, type Findings, hash32ToHex, signatureToHex } from "@whytrace/contract";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import type { FindingRow, FindingsBody } from "../findings-body.ts";
import type { Lens } from "../runs/lens.ts";
import type { StoredList } from "../stored/read-stored-findings.ts";
import { type FindingNames, readFindingNames } from "./read-finding-names.ts";

/** Of all agents together. */
const MAX_ROWS = 200;
/** What says that a run is bad: an error may be one that the run got over. */
const JUDGED_LENSES = ["failed", "scored"] as const;
const GROUPS = ["worse", "undecided", "dearer", "unclear", "apart"];
/** More open runs make a rate doubtful. */
const MAX_OPEN_SHARE = 0.05;

type DescribedFindings = Pick<
  Findings,
  | "computedAt"
  | "runs"
  | "badRuns"
  | "otherLenses"
  | "abandonedRuns"
  | "countedRuns"
  | "isTruncated"
  | "countedFrom"
  | "standsFor"
  | "clusters"
  | "chance"
  | "leftOut"
  | "answers"
  | "rows"
  | "notes"
>;

/** Puts the lists of agents together, and names what they list. */
export async function describeFindings(
  db: Database,
  workspaceId: WorkspaceId,
  lists: readonly StoredList[],
  lens: Lens,
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
    otherLenses: JUDGED_LENSES.map((other) => ({
      lens: other,
      badRuns: sum(({ badIn }) => badIn[other]),
    })).filter((other) => other.lens !== lens && other.badRuns > 0),
    abandonedRuns: sum(({ abandonedRuns }) => abandonedRuns),
    countedRuns: sum(({ countedRuns }) => countedRuns),
    isTruncated: lists.some(({ body }) => body.isTruncated),
    countedFrom: lists.length === 1 ? (lists[0]?.body.countedFrom ?? null) : null,
    standsFor: sum(({ standsFor }) => standsFor),
    clusters: sum(({ clusters }) => clusters),
    chance: sum(({ chance }) => chance),
    leftOut: describeLeftOut({
      unknown: sum(({ leftOut }) => leftOut.unknown),
      notAsked: sum(({ leftOut }) => leftOut.notAsked),
    }),
    answers: addAnswers(lists.map(({ body }) => body)),
    rows: listed.map(({ list, row }) => describeRow(row, list, names.get(list.agentHash))),
    notes: notesOf(lists.map(({ body }) => body)),
  };
}

function compareRows(one: FindingRow, other: FindingRow): number {
  return (
    GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group) ||
    (other.figures?.explains ?? 0) - (one.figures?.explains ?? 0) ||
    (other.cost?.excessUsd ?? 0) - (one.cost?.excessUsd ?? 0) ||
    other.decisions - one.decisions ||
    one.step - other.step
  );
}

function describeRow(
  row: FindingRow,
  { since, body: { countedFrom } }: StoredList,
  names: FindingNames | undefined,
): FindingItem {
  const { kind, group, step, figures, cost } = row;
  const named = names?.options.get(step);
  const entered = since.find((one) => one.kind === kind && one.group === group && one.step === step);
  return {
    agent: names?.agent ?? "",
    kind: kind === "chose" ? "chose" : "left-out",
    group,
    place: named?.place ?? null,
    countedFrom,
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
    adjusted: figures?.adjusted ?? cost?.adjusted ?? null,
    since: entered?.since ?? null,
    basis: row.basis,
    refusal: row.refusal,
    holdsIn: row.holdsIn,
    readings: row.readings,
    answered: row.answered,
    isAdjusted: row.isAdjusted,
    cost: cost ? { usd: cost.usd, otherUsd: cost.otherUsd, excessUsd: cost.excessUsd } : null,
    experiment: row.experiment ?? null,
  };
}

/** Findings hold no names of scores: whoever was not asked is one of the users. */
export function describeLeftOut({ unknown, notAsked }: FindingsBody["leftOut"]): Findings["leftOut"] {
  const missing = notAsked > 0 ? [{ name: "feedback", runs: notAsked, isNotAsked: true as const }] : [];
  return { runs: notAsked + unknown, missing };
}

/** Of all agents together whose runs are judged in part; null if there are none. */
export function addAnswers(bodies: readonly Pick<FindingsBody, "answers">[]): Findings["answers"] {
  const all = bodies.flatMap(({ answers }) => answers ?? []);
  if (all.length === 0) return null;
  const pairs = Map.groupBy(
    all.flatMap(({ contradictions }) => contradictions),
    ({ sources }) => sources.join(),
  );
  const add = <Item>(items: readonly Item[], figure: (item: Item) => number) =>
    items.reduce((total, item) => total + figure(item), 0);
  return {
    runs: add(all, ({ runs }) => runs),
    sources: [...new Set(all.flatMap(({ sources }) => sources))],
    answered: add(all, ({ answered }) => answered),
    bad: add(all, ({ bad }) => bad),
    isOneSided: all.every(({ isOneSided }) => isOneSided),
    contradictions: [...pairs.values()].map((same) => ({
      sources: [...(same[0]?.sources ?? [])],
      runs: add(same, ({ runs }) => runs),
      differ: add(same, ({ differ }) => differ),
    })),
  };
}

/** VanderWeele and Ding's E-value. */
const eValue = (ratio: number) => (ratio <= 1 ? 1 : ratio + Math.sqrt(ratio * (ratio - 1)));

/** Each has to be true of all agents together. */
function notesOf(bodies: readonly FindingsBody[]): Findings["notes"] {
  const notes: Findings["notes"] = [];
  const read = ({ countedRuns, openRuns, leftOut }: FindingsBody) =>
    countedRuns + openRuns + leftOut.unknown + leftOut.notAsked;
  const sum = (count: (body: FindingsBody) => number) =>
    bodies.reduce((total, body) => total + count(body), 0);
  if (sum(({ openRuns }) => openRuns) > MAX_OPEN_SHARE * sum(read)) notes.push("open-runs");
  if (bodies.some(({ hasUnknownSampling }) => hasUnknownSampling)) notes.push("unknown-sampling");
  if (bodies.some((body) => body.runs > read(body))) notes.push("newest-runs");
  if (bodies.length > 0 && bodies.every(({ hasSituation }) => !hasSituation)) notes.push("no-situation");
  return notes;
}
