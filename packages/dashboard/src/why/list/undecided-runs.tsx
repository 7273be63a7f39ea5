import type { WhyList } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";

/** Runs that decided nothing are counted nowhere else on the page. */
export function UndecidedRuns({ list }: { list: WhyList }) {
  const { runsWithoutDecisions: runs, failedWithoutDecisions: failed, agent, from, to } = list;
  if (runs === 0) return null;
  const all = `${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"}`;
  const bad = `${failed.toLocaleString("en")} of them ${failed === 1 ? "is" : "are"} bad`;
  const traces = { decided: "no", startedFrom: from, startedTo: to } as const;
  // The list of traces finds an agent by its decisions.
  const hasLinks = agent === null;
  return (
    <p className="px-4 py-2 text-xs text-muted">
      {hasLinks ? (
        <TraceCount traces={traces} className={LINK}>
          {all}
        </TraceCount>
      ) : (
        all
      )}{" "}
      decided nothing
      {failed > 0 && (
        <>
          ,{" "}
          {hasLinks ? (
            <TraceCount traces={{ ...traces, outcome: "bad" }} className={LINK}>
              {bad}
            </TraceCount>
          ) : (
            bad
          )}
        </>
      )}
      .
    </p>
  );
}

const LINK = "text-accent underline";
