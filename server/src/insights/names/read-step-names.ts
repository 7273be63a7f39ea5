import type { DecisionPointType } from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import { NO_STEP, type Sample, type Tally } from "../days/tally.ts";
import { readSignatureNames } from "./read-signature-names.ts";

export interface StepName {
  signature: number;
  type: DecisionPointType;
  name: string;
}

/** The names of the options that steps stand for. */
export async function readStepNames(
  db: Database,
  userId: string,
  tally: Tally,
  steps: ReadonlySet<number>,
): Promise<Map<number, StepName>> {
  const found = new Map<number, { signature: number; type: DecisionPointType }>();
  const samples = new Map<number, Sample>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    const step = tally.stepOf(row);
    const [signature, type, sample] = [tally.signatures[row], tally.types[row], tally.samples[row]];
    if (step === NO_STEP || !steps.has(step) || found.has(step)) continue;
    if (signature === undefined || type === undefined || sample === undefined) continue;
    found.set(step, { signature, type });
    if (!samples.has(signature)) samples.set(signature, sample);
  }
  const signatures = await readSignatureNames(db, userId, samples);
  return new Map(
    [...found].map(([step, { signature, type }]) => [
      step,
      { signature, type, name: signatures.get(signature)?.options.get(step) ?? "" },
    ]),
  );
}
