import { BAD_RUN_WORDS, type FindingItem, type Findings } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { badTraces, badTracesOf } from "./bad-traces.ts";

interface ExplainsBarProps {
  found: Findings;
  /** So many of the bad runs. */
  explains: number;
  /** The option that explains them; without it, nothing does. */
  row?: FindingItem;
}

const LINK = "underline decoration-dotted underline-offset-2 hover:decoration-solid";
const whole = (count: number) => Math.round(count).toLocaleString("en");

/** How many of the bad runs a row explains, as a number and as a part of a bar. */
export function ExplainsBar({ found, explains, row }: ExplainsBarProps) {
  const { badRuns, lens } = found;
  const bad = BAD_RUN_WORDS[lens].runs;
  const isListable = row?.kind === "chose";
  const allBad = badTraces(found);
  return (
    <div className="tabular-nums">
      <span className="whitespace-nowrap">
        {isListable ? (
          <TraceCount
            traces={badTracesOf(found, row)}
            label={`${whole(explains)} explained: show all ${bad} that chose ${row.option}`}
            className={`${LINK} font-semibold`}
          >
            {whole(explains)}
          </TraceCount>
        ) : (
          <span className={row ? "font-semibold" : "text-muted"}>{whole(explains)}</span>
        )}{" "}
        <span className="text-muted">
          of{" "}
          {allBad ? (
            <TraceCount traces={allBad} label={`${whole(badRuns)} bad: show all ${bad}`} className={LINK}>
              {whole(badRuns)}
            </TraceCount>
          ) : (
            whole(badRuns)
          )}
        </span>
      </span>
      <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-sm bg-sunken">
        <span
          className={`block h-full ${row ? "bg-error" : "bg-control"}`}
          style={{ width: `${Math.min(1, explains / Math.max(1, badRuns)) * 100}%` }}
        />
      </span>
    </div>
  );
}
