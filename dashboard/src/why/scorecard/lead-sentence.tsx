import { MIN_COMPARED_DECISIONS, type Scorecard } from "@whytrace/contract";
import type { ReactNode } from "react";
import { formatCostSpan, formatSignedCost, formatSpan } from "../../ui/format-signed.ts";
import { intervalTone } from "../../ui/interval-tone.ts";
import { tradeOff } from "./trade-off.ts";

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold">{children}</b>;

/** Says in words what the scorecard shows: failures, cost, and what the better option costs instead. */
export function LeadSentence({ card }: { card: Scorecard }) {
  return <p className="text-base">{sentence(card)}</p>;
}

function sentence(card: Scorecard): ReactNode {
  const { group, comparison, options, neverChosen } = card;
  const worst = options.find(({ step }) => step === comparison?.worst);
  const best = options.find(({ step }) => step === comparison?.best);
  if (group === "aside")
    return "Set aside: the request decides this, not the agent. Its options are shown, not judged.";
  if (!comparison || !worst || !best)
    return options.length + neverChosen.length < 2
      ? "No alternatives were sent with these decisions, so there is nothing to compare with."
      : `Too few to compare yet: a comparison needs ${MIN_COMPARED_DECISIONS} on each side. Rates are shown, not judged.`;
  const { failures, costUsd } = comparison;
  const hasMoreFailures = intervalTone(failures, 0) === "worse";
  const hasMoreCost = costUsd !== null && intervalTone(costUsd, 0) === "worse";
  if (group === "unclear" || (!hasMoreFailures && !hasMoreCost))
    return (
      <>
        No clear difference: after <Name>{worst.name}</Name> came {amount(failures.value)} than after{" "}
        <Name>{best.name}</Name>{" "}
        <span className="text-muted">({formatSpan(failures.low, failures.high)} more)</span>, which may be
        chance.
      </>
    );
  const cost = costUsd && (
    <>
      <b className="font-semibold">{formatSignedCost(costUsd.value).replace("+", "")} more cost</b>{" "}
      <span className="text-muted">({formatCostSpan(costUsd.low, costUsd.high)})</span>
    </>
  );
  return (
    <>
      After <Name>{worst.name}</Name> came{" "}
      {hasMoreFailures && (
        <>
          <b className="font-semibold text-error">{amount(failures.value)}</b>{" "}
          <span className="text-muted">({formatSpan(failures.low, failures.high)})</span>
        </>
      )}
      {!hasMoreFailures && cost} than after <Name>{best.name}</Name>
      {hasMoreFailures && comparison.stratifiedLift && " in the same situations"}
      {hasMoreFailures && hasMoreCost && <>, and {cost}</>}
      {hasMoreCost && " over all decisions"}. {tradeOff(worst, best)}
      {comparison.isConfounded && " The difference depends on what was decided before: see Like with like."}
    </>
  );
}

function amount(failures: number): string {
  const rounded = Math.round(Math.abs(failures));
  const noun = rounded === 1 ? "failure" : "failures";
  return failures < 0 ? `${rounded} fewer ${noun}` : `${rounded.toLocaleString("en")} more ${noun}`;
}
