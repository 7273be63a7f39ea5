import { type DecisionRates, optionName } from "@whytrace/contract";
import { countedTraces } from "../../why/counted-traces.ts";
import { RateCounts } from "../../why/rate-counts.tsx";

interface OptionRateProps {
  rates: DecisionRates | undefined;
  /** Among the options of the decision, the chosen one first. */
  index: number;
  option: unknown;
}

/** How often runs failed after an option, and of how many decisions. */
export function OptionRate({ rates, index, option }: OptionRateProps) {
  const counted = rates?.options[index];
  if (!rates || !counted) return null;
  if (!counted.rate || counted.rate.decisions === 0)
    return <span className="text-muted">{counted.rate ? "not counted yet" : "never chosen"}</span>;
  return (
    <>
      <RateCounts
        option={{ step: counted.step, name: optionName(option), rate: counted.rate }}
        counted={countedTraces(rates, {})}
      />{" "}
      <span className="text-muted">failed</span>
    </>
  );
}
