import {
  type DecisionPointType,
  type Dithering,
  hash32ToHex,
  type Suspect,
  signatureToHex,
  signDecision,
} from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DecisionFact } from "../../decision-facts/decision-facts.ts";
import { findMasking } from "../../masking/stored-masking.ts";
import type { DayRange } from "../days/read-days.ts";
import type { RunFigures, RunSuspect } from "../findings/blamer.ts";
import type { RunTurn } from "../findings/runs/run-turns.ts";
import { type OptionName, readFindingNames } from "../findings/serve/read-finding-names.ts";
import type { BlamedRun } from "./blame-run.ts";
import { findDithering } from "./dithering.ts";
import { findClue } from "./find-clue.ts";
import { maskedContext } from "./masked-context.ts";
import { readContexts } from "./read-contexts.ts";
import { type DecisionTexts, readDecisionTexts } from "./read-decision-texts.ts";
import { readTraceVerdicts } from "./read-trace-verdicts.ts";

/** Of a run with more options, the first suspects are returned. */
export const MAX_SUSPECTS = 100;
/** Suspects in whose contexts a clue is looked for. */
const MAX_CLUES = 3;
/** Suspects that are compared with the decisions before them. */
const MAX_DITHERING = 10;

interface SuspectedRun {
  traceId: string;
  agent: { name: string; hash: number | null };
  range: DayRange;
  /** The turns until the run went wrong. */
  atRisk: readonly RunTurn[];
  timeOf: (turn: RunTurn) => number;
  wentWrongAt: number;
  blamed: BlamedRun | undefined;
}

/** A suspect, as it is known before texts are read. */
interface FoundSuspect extends Pick<RunSuspect, "turns" | "word"> {
  step: number;
  signature: number;
  type: DecisionPointType;
  /** The likeliest of its decisions; undefined if it was left out. */
  decision: DecisionFact | undefined;
  figures: RunFigures | undefined;
}

/** Names the suspects of a run, the likeliest first, and reads what is known of them. */
export async function describeSuspects(
  db: Database,
  workspaceId: WorkspaceId,
  run: SuspectedRun,
): Promise<Suspect[]> {
  const { traceId, agent, range, atRisk, timeOf, wentWrongAt } = run;
  const found = findSuspects(run);
  const decided = atRisk.flatMap(({ decisions }) => decisions);
  const chosen = found.flatMap(({ decision }) => decision ?? []);
  const positions = new Set(chosen.map(({ position }) => position));
  for (const position of positionsBefore(decided, chosen.slice(0, MAX_DITHERING))) positions.add(position);
  const texts = await readDecisionTexts(db, workspaceId, traceId, [...positions]);
  const dithering = ditheringOf(decided, texts);
  const verdicts = await readTraceVerdicts(db, workspaceId, traceId);
  const leftOut = new Set(found.flatMap(({ decision, step }) => (decision ? [] : [step])));
  const names: ReadonlyMap<number, OptionName> =
    agent.hash === null || leftOut.size === 0
      ? new Map()
      : (await readFindingNames(db, workspaceId, agent.hash, leftOut)).options;
  const suspects: Suspect[] = [];
  let clues = 0;
  for (const { decision, step, signature, type, turns, word, figures } of found) {
    const text = decision && texts.get(decision.position);
    const name = decision ? text && { option: optionOf(type, text), place: text.place } : names.get(step);
    const [turn = null] = turns;
    const decidedIn = turn === null ? undefined : atRisk[turn];
    if (!name) continue;
    const isClueSought = text !== undefined && word !== "none" && clues < MAX_CLUES;
    if (isClueSought) clues += 1;
    const clue = isClueSought
      ? findClue(text.context, await readContexts(db, workspaceId, range, { agent: agent.name, step }))
      : null;
    const masked = isClueSought && !clue ? maskedContext(text.context, await rulesOf(db, workspaceId)) : [];
    suspects.push({
      kind: decision ? "chose" : "left-out",
      decisionPointId: text?.id ?? null,
      turn,
      turns: [...turns],
      type,
      signature: signatureToHex(signature),
      step: hash32ToHex(step),
      option: name.option,
      suspicion: word,
      beforeMs: decidedIn ? Math.max(0, wentWrongAt - timeOf(decidedIn)) : null,
      place: name.place,
      explains: figures?.explains ?? null,
      ratio: figures?.ratio ?? null,
      rate: figures?.rate ?? null,
      otherRate: figures?.otherRate ?? null,
      comparable: figures?.comparable ?? null,
      experiment: figures?.experiment ?? null,
      clue,
      ...(masked.length > 0 && { maskedContext: masked }),
      dithering: (decision && dithering.get(decision.position)) ?? null,
      verdict: (text && verdicts.get(text.id)) ?? null,
    });
  }
  return suspects;
}

const rulesOf = async (db: Database, workspaceId: WorkspaceId) =>
  (await findMasking(db, workspaceId))?.rules ?? [];

function findSuspects({ blamed, atRisk }: SuspectedRun): FoundSuspect[] {
  const found: FoundSuspect[] = [];
  for (const { kind, option, turns, share, word } of blamed?.suspects ?? []) {
    const observed = blamed?.learnt.options[option];
    // Whatever was left out is no suspect unless it explains something.
    if (!observed || (kind === "left out" && share === 0)) continue;
    const { step, signature, type } = observed;
    const isChosen = (decision: DecisionFact) => decision.step === step;
    // Of a run that is bad for a reason, only decisions that the reason follows are suspects.
    const followed = turns.filter((turn) => atRisk[turn]?.decisions.some(isChosen));
    const decision = followed[0] === undefined ? undefined : atRisk[followed[0]]?.decisions.find(isChosen);
    if (kind === "chose" && !decision) continue;
    const figures = blamed?.learnt.blamer.figuresOf(kind, option);
    found.push({ turns: followed, word, step, signature, type, decision, figures });
  }
  return [...found, ...findRare(found, atRisk)].slice(0, MAX_SUSPECTS);
}

/** Of an agent with very many options, those that few runs chose are not compared. The latest comes first. */
function findRare(found: readonly FoundSuspect[], atRisk: readonly RunTurn[]): FoundSuspect[] {
  const known = new Set(found.map(({ step }) => step));
  const rare = new Map<number, FoundSuspect & { turns: number[] }>();
  for (let turn = atRisk.length - 1; turn >= 0; turn -= 1) {
    const { decisions = [], isReaction = true } = atRisk[turn] ?? {};
    if (isReaction) continue;
    for (const decision of decisions) {
      const { step, signature, type } = decision;
      if (known.has(step)) continue;
      const suspect = rare.get(step) ?? {
        turns: [],
        word: "none",
        step,
        signature,
        type,
        decision,
        figures: undefined,
      };
      rare.set(step, suspect);
      if (suspect.turns.at(-1) !== turn) suspect.turns.push(turn);
    }
  }
  return [...rare.values()];
}

const optionOf = (type: DecisionPointType, { chosen, alternatives }: DecisionTexts) =>
  signDecision({ type, chosen, alternatives }).option;

/** Of the last two decisions before each of some, and of the last two in the same place. */
function positionsBefore(decided: readonly DecisionFact[], some: readonly DecisionFact[]): number[] {
  const wanted = new Set(some);
  const bySignature = new Map<number, DecisionFact[]>();
  const before: DecisionFact[] = [];
  for (const [index, decision] of decided.entries()) {
    const earlier = bySignature.get(decision.signature) ?? [];
    if (wanted.has(decision)) before.push(...decided.slice(Math.max(0, index - 2), index), ...earlier);
    bySignature.set(decision.signature, [...earlier.slice(-1), decision]);
  }
  return before.map(({ position }) => position);
}

/** By position. Only decisions whose texts were read are looked at. */
function ditheringOf(
  decided: readonly DecisionFact[],
  texts: ReadonlyMap<number, DecisionTexts>,
): Map<number, Dithering | null> {
  const read = decided.flatMap(({ type, signature, position }) => {
    const text = texts.get(position);
    if (!text) return [];
    const { option, options } = signDecision({ type, ...text });
    const { reasoning, context } = text;
    return { position, input: { type, signature, option, options, reasoning, context } };
  });
  const found = findDithering(read.map(({ input }) => input));
  return new Map(read.map(({ position }, index) => [position, found[index] ?? null]));
}
