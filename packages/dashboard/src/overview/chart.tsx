import { Link } from "@tanstack/react-router";
import type { TraceStats } from "@whytrace/contract";
import type { KeyboardEvent } from "react";
import { paths } from "../paths.ts";
import { axisTicks } from "../ui/intervals/axis-ticks.ts";
import type { ChartSpec, Series } from "./chart-specs.ts";
import { longBucketLabel, shortBucketLabel, startedInBucket } from "./time-bucket.ts";

type Bucket = TraceStats["buckets"][number];
interface ChartProps {
  spec: ChartSpec;
  stats: TraceStats;
}

const MAX_LABELS = 6;

/** Each mark links to its traces. The chart is a single tab stop; arrow keys move between marks. */
export function Chart({ spec, stats: { buckets, interval } }: ChartProps) {
  const maxValue = Math.max(...buckets.map((bucket) => heightOf(spec, bucket)));
  const ticks = axisTicks(maxValue, { isInteger: spec.isInteger ?? false, steps: spec.tickSteps });
  const top = ticks.at(-1) ?? 1;
  const { formatTick = spec.format } = spec;
  const labelInterval = Math.ceil(buckets.length / MAX_LABELS);
  const firstMarked = spec.kind === "lines" ? 0 : buckets.findIndex((bucket) => heightOf(spec, bucket) > 0);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 p-3 pt-6 text-xs text-muted">
      <div aria-hidden="true" className="relative h-36 min-w-8 text-right">
        <span className="invisible">{formatTick(top)}</span>
        {ticks.map((value) => (
          <span
            key={value}
            className="absolute right-0 translate-y-1/2 whitespace-nowrap leading-none"
            style={{ bottom: `${(value / top) * 100}%` }}
          >
            {formatTick(value)}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the links inside */}
      <div className="relative h-36" onKeyDown={moveFocus}>
        {ticks.map((value) => (
          <div
            key={value}
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: `${(value / top) * 100}%` }}
          />
        ))}
        {spec.kind === "lines" && <Lines spec={spec} buckets={buckets} top={top} />}
        <ul aria-label={`${spec.title} by ${interval}`} className="absolute inset-0 flex">
          {buckets.map((bucket, index) => (
            <li
              key={bucket.start}
              className="group relative flex min-w-0 flex-1 flex-col-reverse hover:bg-sunken/60"
            >
              <Marks
                spec={spec}
                bucket={bucket}
                interval={interval}
                top={top}
                isFirst={index === firstMarked}
              />
              <Tooltip spec={spec} bucket={bucket} interval={interval} isLeft={index > buckets.length / 2} />
            </li>
          ))}
        </ul>
      </div>
      <span />
      <div aria-hidden="true" className="flex pt-1.5">
        {buckets.map(({ start }, index) => (
          <span key={start} className="min-w-0 flex-1 overflow-visible whitespace-nowrap leading-none">
            {index % labelInterval === 0 && shortBucketLabel(start, interval)}
          </span>
        ))}
      </div>
    </div>
  );
}

const heightOf = ({ kind, series }: ChartSpec, bucket: Bucket) => {
  const values = series.map(({ value }) => value(bucket) ?? 0);
  return kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
};

interface MarksProps {
  spec: ChartSpec;
  bucket: Bucket;
  interval: TraceStats["interval"];
  top: number;
  isFirst: boolean;
}

/** Bars have one link per part of the stack; lines have one per bucket. */
function Marks({ spec, bucket, interval, top, isFirst }: MarksProps) {
  const { kind, series, format, sort } = spec;
  const search = { ...startedInBucket(bucket.start, interval), sort };
  const label = (parts: Series[]) =>
    `${longBucketLabel(bucket.start, interval)}: ${parts.map((one) => `${one.label} ${format(one.value(bucket))}`).join(", ")}`;
  const shared = { to: paths.traces, "data-mark": true } as const;
  if (kind === "lines")
    return (
      <Link
        {...shared}
        search={search}
        tabIndex={isFirst ? 0 : -1}
        aria-label={label(series)}
        className="absolute inset-0"
      />
    );
  const parts = series.filter((one) => (one.value(bucket) ?? 0) > 0);
  return parts.map((one, index) => (
    <Link
      key={one.label}
      {...shared}
      tabIndex={isFirst && index === 0 ? 0 : -1}
      search={{ ...search, status: one.status }}
      aria-label={label([one])}
      className={`mx-[12%] min-h-0.5 bg-[var(--tint)] last-of-type:rounded-t-sm hover:brightness-110 ${one.tint}`}
      style={{ height: `${((one.value(bucket) ?? 0) / top) * 100}%` }}
    />
  ));
}

function Lines({ spec, buckets, top }: { spec: ChartSpec; buckets: Bucket[]; top: number }) {
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible"
      viewBox={`0 0 ${buckets.length} 100`}
      preserveAspectRatio="none"
    >
      {spec.series.map(({ label, tint, value }) => (
        <path
          key={label}
          d={linePath(buckets.map(value), top)}
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
          className={`stroke-[var(--tint)] ${tint}`}
        />
      ))}
    </svg>
  );
}

/** A line through the middle of each bucket, interrupted at missing values. A single value is drawn as a dot. */
function linePath(values: (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return "";
      const y = 100 - (value / top) * 100;
      const isContinued = index > 0 && values[index - 1] !== null;
      return isContinued ? `L${index + 0.5} ${y}` : `M${index + 0.5} ${y}h0.001`;
    })
    .join("");
}

/** The bucket's values, shown on hover and while one of its marks has the focus. */
function Tooltip({
  spec,
  bucket,
  interval,
  isLeft,
}: Pick<MarksProps, "spec" | "bucket" | "interval"> & { isLeft: boolean }) {
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute bottom-full z-10 hidden min-w-32 rounded-md border border-line bg-bg p-2 text-text shadow-lg group-focus-within:block group-hover:block ${isLeft ? "right-0" : "left-0"}`}
    >
      <p className="whitespace-nowrap pb-1 text-muted">{longBucketLabel(bucket.start, interval)} UTC</p>
      {spec.series.toReversed().map(({ label, tint, value }) => (
        <p key={label} className="flex items-center gap-1.5 whitespace-nowrap">
          <Swatch tint={tint} />
          {label}
          <span className="ml-auto pl-3 font-medium">{spec.format(value(bucket))}</span>
        </p>
      ))}
    </div>
  );
}

export function Swatch({ tint }: { tint: string }) {
  return <span aria-hidden="true" className={`size-2 shrink-0 rounded-[2px] bg-[var(--tint)] ${tint}`} />;
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const marks = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-mark]")];
  const at = marks.findIndex((mark) => mark.matches(":focus"));
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: marks.length - 1 }[event.key];
  const mark = next === undefined ? undefined : marks[next];
  if (!mark) return;
  event.preventDefault();
  mark.focus();
}
