import type { DecisionPointType } from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { NO_STEP, type Tally } from "../days/tally.ts";
import { readSignatureNames, type SampledSignature } from "./read-signature-names.ts";

interface StepName {
  signature: number;
  type: DecisionPointType;
  name: string;
}

/** The names of the options that steps stand for. */
export async function readStepNames(
  db: Database,
  workspaceId: WorkspaceId,
  tally: Tally,
  steps: ReadonlySet<number>,
): Promise<Map<number, StepName>> {
  const found = new Map<number, { signature: number; type: DecisionPointType }>();
  const sampled = new Map<number, SampledSignature & { options: SampledSignature["options"][number][] }>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    const step = tally.stepOf(row);
    const [signature, type, sample] = [tally.signatures[row], tally.types[row], tally.samples[row]];
    if (step === NO_STEP || !steps.has(step) || found.has(step)) continue;
    if (signature === undefined || type === undefined || sample === undefined) continue;
    found.set(step, { signature, type });
    const ofSignature = sampled.get(signature) ?? { signature, sample, options: [] };
    sampled.set(signature, ofSignature);
    ofSignature.options.push({ step, sample });
  }
  const names = await readSignatureNames(db, workspaceId, [...sampled.values()]);
  return new Map(
    [...found].map(([step, { signature, type }]) => [
      step,
      { signature, type, name: names.get(signature)?.options.get(step) ?? "" },
    ]),
  );
}
