import { MIN_COMPARED_DECISIONS, type Rate } from "@whytrace/contract";
import { OutcomeSums } from "../days/outcome-sums.ts";
import type { SignatureFigures } from "../days/signature-figures.ts";
import type { Tally } from "../days/tally.ts";

export interface ComparedChoice {
  /** The step before, if both rates are limited to decisions after it; null if they are not. */
  after: number | null;
  chosen: Rate;
  alternative: { step: number; rate: Rate } | null;
}

interface StepRate {
  step: number;
  rate: Rate;
}

/**
 * Compares a choice with the best of its alternatives: after the same step before, if both were chosen often enough there,
 * because like is compared with like; else wherever they were chosen.
 */
export function compareChoice(
  tally: Tally,
  agentRow: number,
  figures: SignatureFigures | undefined,
  { step, before, type }: { step: number; before: number; type: SignatureFigures["type"] },
): ComparedChoice {
  const overall = (figures?.options ?? []).map((option) => ({ step: option.step, rate: option.sums.rate }));
  const sameBefore = overall.flatMap((option) => {
    const row = tally.transitions.keys.find(agentRow, before, option.step);
    if (row < 0) return [];
    const sums = new OutcomeSums(type);
    sums.add(tally.transitions, row);
    return { step: option.step, rate: sums.rate };
  });
  const limited = pick(sameBefore, step);
  return limited.alternative && isEnough(limited.chosen) && isEnough(limited.alternative.rate)
    ? { after: before, ...limited }
    : { after: null, ...pick(overall, step) };
}

const isEnough = ({ decisions }: Rate) => decisions >= MIN_COMPARED_DECISIONS;
const NOTHING: Rate = {
  decisions: 0,
  failed: 0,
  recovered: 0,
  runs: 0,
  failedRuns: 0,
  recoveredRuns: 0,
  low: 0,
  high: 1,
};

function pick(options: StepRate[], step: number): { chosen: Rate; alternative: StepRate | null } {
  const chosen = options.find((option) => option.step === step)?.rate ?? NOTHING;
  const others = options.filter((option) => option.step !== step && option.rate.decisions > 0);
  const often = others.filter(({ rate }) => isEnough(rate));
  const alternative =
    often.length > 0
      ? often.reduce((best, one) => (one.rate.high < best.rate.high ? one : best))
      : others.reduce<StepRate | null>(
          (most, one) => (most && most.rate.decisions >= one.rate.decisions ? most : one),
          null,
        );
  return { chosen, alternative };
}
