import { Link } from "@tanstack/react-router";
import type { ScoreValues } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { shortValue } from "./score-kind-words.ts";

interface ScoreValuesListProps {
  name: string;
  values: ScoreValues;
  counted: CountedTraces;
  agent: string | undefined;
}

/** In how many runs each value was given, and how many numbers lie below three places. */
export function ScoreValuesList({ name, values, counted, agent }: ScoreValuesListProps) {
  const { runs, numbers } = values;
  const scored = { ...counted, scoreName: name };
  const rows = [
    ...values.values.map(({ value, ...row }) => ({ ...row, value, traces: { ...scored, scoreIs: value } })),
    ...(numbers?.cuts ?? []).map(({ below, runs }) => ({
      ...{ value: `below ${shortValue(below)}`, runs, isBad: false },
      traces: { ...scored, scoreBelow: String(below) },
    })),
  ];
  return (
    <div className="grid gap-2 p-3">
      <ul className="grid gap-1.5">
        {rows.map(({ value, runs: own, isBad, traces }) => (
          <li key={value} className="grid grid-cols-[minmax(0,1fr)_6rem_auto] items-center gap-3">
            <span className={`truncate ${isBad ? "text-error" : ""}`} title={value}>
              {value}
            </span>
            <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
              <span
                className={`block h-full ${isBad ? "bg-error" : "bg-control"}`}
                style={{ width: `${(100 * own) / Math.max(1, runs)}%` }}
              />
            </span>
            <span className="text-right tabular-nums">
              <TraceCount traces={traces} label={`${own} runs with ${name} ${value}`}>
                {own.toLocaleString("en")}
              </TraceCount>{" "}
              <span className="inline-block w-12 text-xs text-muted">
                {formatPercent(own / Math.max(1, runs))}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {numbers && (
        <p className="text-xs text-muted">
          Numbers from {shortValue(numbers.min)} to {shortValue(numbers.max)}. None is bad by itself:{" "}
          <Link
            to={paths.outcomes}
            search={omitEmpty({ agent })}
            className="font-medium text-accent hover:underline"
          >
            say from which value on it is bad
          </Link>
          .
        </p>
      )}
    </div>
  );
}
