import {
  hash32,
  MAX_SHARED_SUSPECTS,
  NO_ERROR_TO_EXPLAIN,
  type SharedSuspect,
  type SharedWhy,
  type Suspect,
} from "@whytrace/contract";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { type BlameResources, explainError } from "../insights/blame/explain-error.ts";

/** A sentence names no more turns of an option. */
const MAX_TURNS = 4;

/** A suspect without its texts. */
export interface StoredSuspect extends Omit<SharedSuspect, "option" | "place"> {
  /** Tells whether its decision still chose the same. */
  optionHash: number;
}

/** What explains a run, as it is stored with a link. */
export interface StoredWhy extends Pick<SharedWhy, "ending" | "badRuns"> {
  suspects: StoredSuspect[];
}

/** Explains a run for those who will open a link to it. Throws 400 if nothing went wrong in it. */
export async function explainSharedRun(
  resources: BlameResources,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<StoredWhy> {
  const blame = await explainError(resources, workspaceId, { traceId });
  if (!blame) throw new HttpError(400, NO_ERROR_TO_EXPLAIN);
  const { ending, badRuns, suspects } = blame;
  const suspected = suspects.filter(({ suspicion }) => suspicion !== "none").slice(0, MAX_SHARED_SUSPECTS);
  return {
    ending,
    badRuns,
    suspects: suspected.map(withoutTexts),
  };
}

/** Field by field: a new field of a suspect may be one that strangers must not read. */
const withoutTexts = (suspect: Suspect): StoredSuspect => ({
  kind: suspect.kind,
  decisionPointId: suspect.decisionPointId,
  turns: suspect.turns.slice(0, MAX_TURNS),
  type: suspect.type,
  suspicion: suspect.suspicion,
  beforeMs: suspect.beforeMs,
  explains: suspect.explains,
  ratio: suspect.ratio,
  rate: suspect.rate,
  otherRate: suspect.otherRate,
  comparable: suspect.comparable,
  experiment: suspect.experiment,
  optionHash: hash32(suspect.option),
});
