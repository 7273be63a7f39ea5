import { Link } from "@tanstack/react-router";
import type { ScoreSeries, ScoreSummary } from "@whytrace/contract";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import type { NamedSummary } from "./counted-runs.ts";

interface VotesProps {
  opened: NamedSummary;
  days: ScoreSeries["days"];
  counted: CountedTraces;
  summary: ScoreSummary;
}

const HATCHED =
  "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_3px,var(--color-sunken)_3px_6px)]";

/** Which users were asked and answered, and what that means for comparisons. */
export function Votes({ opened, days, counted, summary }: VotesProps) {
  const { name, said, isOneSided } = opened;
  const total = (countOf: (day: ScoreSeries["days"][number]) => number) =>
    days.reduce((sum, day) => sum + countOf(day), 0);
  const [answered, asked, silent] = [
    total((day) => day.answered),
    total((day) => day.asked),
    total((day) => day.silent),
  ];
  const bad = said > 0 ? total((day) => day.bad) : 0;
  const scored: CountedTraces = { ...counted, scoreName: name };
  const unasked = total(({ runs }) => runs) - answered - silent;
  const parts: {
    label: string;
    count: number;
    tint: string;
    text: string;
    traces: CountedTraces | undefined;
  }[] = [
    {
      ...{ label: "bad", count: bad, tint: "bg-error", text: "text-error" },
      traces: { ...scored, scoreIs: "false" },
    },
    said > 0
      ? {
          ...{ label: "not bad", count: answered - bad, tint: "bg-completed", text: "text-completed" },
          traces: { ...scored, scoreIs: "true" },
        }
      : { label: "answered", count: answered, tint: "bg-control", text: "", traces: scored },
    {
      ...{ label: "asked, no answer", count: silent, tint: "bg-sunken", text: "" },
      traces: { ...scored, scoreAsked: "yes", scoreMissing: "true" },
    },
    {
      ...{ label: asked > 0 ? "not asked" : "no answer", count: unasked, tint: HATCHED, text: "" },
      traces: { ...scored, scoreMissing: "true", ...(asked > 0 && { scoreAsked: "no" }) },
    },
  ];
  const shown = parts.filter(({ count }) => count > 0);
  const { judgesAndUsers } = summary;
  return (
    <div className="grid gap-3 p-3">
      <div className="grid gap-1.5">
        <div aria-hidden="true" className="flex h-3.5 gap-0.5 overflow-hidden rounded-sm">
          {shown.map(({ label, count, tint }) => (
            <span
              key={label}
              className={`block min-w-0.5 ${tint}`}
              style={{ flexGrow: count, flexBasis: 0 }}
            />
          ))}
        </div>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {shown.map(({ label, count, text, traces }) => (
            <li key={label}>
              <TraceCount
                traces={traces ?? scored}
                label={`${count} runs: ${label}`}
                className={`font-semibold hover:underline ${text || "text-text"}`}
              >
                {count.toLocaleString("en")}
              </TraceCount>{" "}
              {label}
            </li>
          ))}
        </ul>
        {asked > 0 ? (
          <p className="text-xs text-muted">
            Asked in{" "}
            <TraceCount
              traces={{ ...scored, scoreAsked: "yes" }}
              className="font-semibold text-text hover:underline"
            >
              {asked.toLocaleString("en")} runs
            </TraceCount>
            , {formatPercent((asked - silent) / asked)} answered.
          </p>
        ) : (
          <p className="text-xs text-muted">
            No run records that its user was asked, so silence cannot be told from never having been asked. A
            feedback token of the SDK records it, or <code>whytrace.feedback</code> in the trace’s metadata.
          </p>
        )}
      </div>
      {isOneSided ? (
        <Warning title="Complaints only.">
          Whether users complain more after an option because it is worse, or because they are asked more
          often, cannot be told.
        </Warning>
      ) : (
        said > 0 &&
        unasked + silent > 0 && (
          <Warning title="Those who vote are not like those who do not.">
            {formatPercent(bad / Math.max(1, answered))} of the votes are bad; that is not the share of
            unhappy users. Options are compared in two ways, and listed as worse only if both agree.
          </Warning>
        )
      )}
      {judgesAndUsers.runs > 0 && (
        <div className="grid gap-1">
          <h3 className="text-xs font-medium text-muted">Where answers differ</h3>
          <p>
            Judge and users differ in{" "}
            <b className="font-semibold">{judgesAndUsers.differ.toLocaleString("en")}</b> of{" "}
            {judgesAndUsers.runs.toLocaleString("en")} runs that have both.
          </p>
          {judgesAndUsers.examples.length > 0 && (
            <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
              {judgesAndUsers.examples.map(({ traceId, name: runName }) => (
                <li key={traceId} className="min-w-0 max-w-full truncate">
                  <Link
                    to={paths.trace}
                    params={{ id: traceId }}
                    search={{ tab: "scores" }}
                    className="font-medium text-accent hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center"
                  >
                    {runName}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-md bg-[color-mix(in_oklab,var(--color-retry)_9%,var(--color-bg))] px-3 py-2">
      <span aria-hidden="true" className="text-retry">
        ⚠
      </span>
      <span>
        <b className="font-semibold">{title}</b> {children}
      </span>
    </p>
  );
}
