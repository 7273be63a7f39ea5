import {
  type DecisionRule,
  hash32FromHex,
  MIN_COMPARED_DECISIONS,
  type RuleResult,
  signatureFromHex,
} from "@whytrace/contract";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { raoScottEffect } from "../statistics/hypothesis-tests/rao-scott-effect.ts";
import { reachOf, wilsonInterval } from "../statistics/hypothesis-tests/wilson-interval.ts";
import { figuresKey, type OptionChoices, type SideFigures } from "./side-figures.ts";

/**
 * Whether decisions keep a rule. A share breaks its limits only if its whole 95 % interval lies outside of them: a few decisions do
 * not make a CI job fail by chance.
 */
export function checkRule(rule: DecisionRule, figures: ReadonlyMap<string, SideFigures>): RuleResult {
  const side = figures.get(figuresKey(agentHash(rule.agent), signatureFromHex(rule.signature) ?? 0));
  const step = hash32FromHex(rule.step);
  const options = [...(side?.options ?? [])].map(([key, option]) => ({ ...option, isRuled: key === step }));
  const ruled = options.find(({ isRuled }) => isRuled);
  if (rule.kind === "never") {
    // A running trace has chosen, too.
    const all = options.map(({ chosen, open }) => chosen + open);
    const chosen = (ruled?.chosen ?? 0) + (ruled?.open ?? 0);
    return {
      rule,
      isKept: chosen === 0,
      isTestable: true,
      decisions: sum(all),
      chosen,
      traceId: chosen === 0 ? null : (ruled?.sample.traceId ?? null),
    };
  }
  const decisions = sum(options.map((option) => option.chosen));
  const chosen = ruled?.chosen ?? 0;
  const breaking = brokenLimit(rule, options, chosen, decisions);
  const other = options.find((option) => !option.isRuled && option.chosen > 0);
  const sample = breaking === "max" ? ruled : breaking === "min" ? other : undefined;
  return {
    rule,
    isKept: breaking === null,
    isTestable: decisions >= MIN_COMPARED_DECISIONS,
    decisions,
    chosen,
    traceId: sample?.sample.traceId ?? null,
  };
}

function brokenLimit(
  { minShare, maxShare }: DecisionRule,
  options: OptionChoices[],
  chosen: number,
  decisions: number,
): "min" | "max" | null {
  if (decisions < MIN_COMPARED_DECISIONS) return null;
  const { effect } = raoScottEffect([{ options }]);
  const reach = reachOf(decisions, sum(options.map(({ products }) => products)));
  const { low, high } = wilsonInterval(chosen / effect, decisions / effect, reach);
  if (maxShare !== null && low > maxShare) return "max";
  if (minShare !== null && high < minShare) return "min";
  return null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
