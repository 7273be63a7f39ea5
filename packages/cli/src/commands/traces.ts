import { TRACE_SORTS, type TraceRow } from "@whytrace/contract";
import { type Command, usageError } from "../command.ts";
import { formatCount, formatMs, formatUsd } from "../print/format.ts";
import { outcomeColumn } from "../print/outcome-column.ts";
import { type Output, printable } from "../print/output.ts";
import { STATUS_MARK, STATUS_STYLE } from "../print/status-style.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";
import { FILTER_OPTIONS, filterQuery } from "../trace-filter.ts";

const MAX_NAME_LENGTH = 40;

export const traces: Command = {
  name: "traces",
  about: "list the latest traces",
  positionals: [],
  options: {
    last: { value: "n", about: "number of traces (default 20)" },
    sort: { value: "sort", about: `${TRACE_SORTS.join(", ")} (default newest)` },
    ...FILTER_OPTIONS,
    ...TARGET_OPTIONS,
  },
  details: "`whytrace trace <id>` prints one of them, `whytrace why <id>` explains why it went wrong.",
  async run(call) {
    const { args, output } = call;
    const last = args.integer("last", { min: 1, max: 100 }) ?? 20;
    const filters = filterQuery(args, "traces");
    const given = args.text("sort");
    const sort = TRACE_SORTS.find((known) => known === given);
    if (given !== sort) throw usageError(`--sort must be one of ${TRACE_SORTS.join(", ")}`, "traces");
    const api = await readingApi(call);
    const found = await api.call("GET /api/traces", {
      query: { ...filters, sort, limit: last, include: "outcome" },
    });
    const isFiltered = Object.keys(filters).length > 0 || sort !== undefined;
    if (found.traces.length === 0) output.note(`No ${isFiltered ? "such " : ""}traces at ${api.url}.`);
    for (const trace of found.traces) {
      output.json(trace);
      printRow(trace, output);
    }
  },
};

function printRow(
  { id, name, status, outcome, startedAt, totalDuration, totalCost, _count }: TraceRow,
  output: Output,
): void {
  const mark = output.paint(STATUS_STYLE[status], STATUS_MARK[status]);
  const start = output.paint("dim", `${startedAt.slice(0, 19).replace("T", " ")}Z`);
  const counts = `${formatCount(_count.spans, "span")}, ${formatCount(_count.decisionPoints, "decision")}`;
  const title = output.paint("bold", printable(name, MAX_NAME_LENGTH).padEnd(MAX_NAME_LENGTH));
  const metrics = `${formatMs(totalDuration).padStart(10)} ${formatUsd(totalCost).padStart(8)}`;
  output.line(
    `${mark} ${start} ${title} ${outcomeColumn(status, outcome, output)} ${metrics}  ${output.paint("dim", `${counts.padEnd(24)} ${printable(id)}`)}`,
  );
}
