import { hash53, MASKED_MAX_LENGTH, maskText } from "@whytrace/contract";
import type { Condition, OutcomeReason } from "@whytrace/contract/schemas/outcomes";
import type { Definition } from "./definition.ts";
import { type ErrorOfRun, textOfError } from "./error-of-run.ts";
import type { JudgedScore } from "./judged-run.ts";

/** The kinds of problems, by the number that is stored. */
export const PROBLEM_KINDS = ["error", "score", "condition"] as const;
type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** A reason for which a run is bad. Runs of one agent with the same kind and text have the same problem. */
export interface Problem {
  /** A hash of kind, agent and text. */
  key: number;
  kind: ProblemKind;
  text: string;
  /** Where it failed or was scored, if that is known. */
  spanId: string | null;
}

/** Beside the error that the run ended with. */
const MAX_OTHERS = 8;

interface BadRun {
  /** The name of the trace. */
  name: string;
  definition: Definition;
  reasons: readonly OutcomeReason[];
  scores: readonly JudgedScore[];
  /** Called if the run is bad because it failed. */
  error: () => ErrorOfRun;
}

/** The problems of a bad run, each once: the error first, the others in the order of the definition's conditions. */
export function problemsOfRun({ name, definition, reasons, scores, error }: BadRun): Problem[] {
  const agent = maskText(name);
  const problems = new Map<number, Problem>();
  const add = (kind: ProblemKind, text: string, spanId: string | null) => {
    const key = problemKey(kind, agent, text);
    if (!problems.has(key)) problems.set(key, { key, kind, text, spanId });
  };
  const failed = reasons.find(({ kind }) => kind === "status");
  if (failed) {
    const found = error();
    add("error", textOfError(found), found.spanId);
  }
  const max = problems.size + MAX_OTHERS;
  const scoreById = new Map(scores.map((score) => [score.id, score]));
  for (const { kind, condition, place, scoreId } of reasons) {
    if (problems.size >= max) break;
    if (kind === "status") continue;
    const spanId = place.kind === "span" ? place.id : null;
    const score = scoreId === null ? undefined : scoreById.get(scoreId);
    const checked = typeof condition === "number" ? definition.bad[condition] : undefined;
    if (score) add("score", textOfScore(score), spanId);
    else if (kind === "review") add("score", textOfScore({ name: "review", label: null }), null);
    else if (checked) add("condition", textOfCondition(checked), spanId);
  }
  return [...problems.values()];
}

/** The key of a problem of an agent, whose name is masked. */
export const problemKey = (kind: ProblemKind, agent: string, text: string): number =>
  hash53(`${kind}\n${agent}\n${text}`);

const shorten = (text: string) => text.slice(0, MASKED_MAX_LENGTH).toWellFormed();

const textOfScore = ({ name, label }: Pick<JudgedScore, "name" | "label">) =>
  shorten(label === null ? `${name} is bad` : `${name}: ${maskText(label)}`);

function textOfCondition(condition: Condition): string {
  switch (condition.kind) {
    case "tag":
      return shorten(`tag ${condition.is}`);
    case "cost":
      return `cost above $${condition.above < 1 ? condition.above.toFixed(2) : condition.above}`;
    case "duration":
      return `duration above ${condition.aboveMs} ms`;
    case "metadata":
    case "score": {
      const { op, value } = condition;
      const key = condition.kind === "score" ? condition.name : condition.key;
      return shorten(`${key} ${op} ${Array.isArray(value) ? value.join(", ") : String(value)}`);
    }
    case "event":
    case "decision": {
      const named = condition.kind === "event" ? condition.name : condition.option;
      return shorten([condition.kind, condition.type, named].filter((part) => part !== undefined).join(" "));
    }
    default:
      return condition.kind;
  }
}
