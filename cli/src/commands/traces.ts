import { STATUSES, type TraceRow } from "@whytrace/contract";
import { type Command, usageError } from "../command.ts";
import { formatCount, formatMs, formatUsd } from "../format.ts";
import { type Output, printable } from "../output.ts";
import { STATUS_MARK, STATUS_STYLE } from "../status-style.ts";
import { signedInApi, TARGET_OPTIONS } from "../target.ts";

const MAX_NAME_LENGTH = 40;

export const traces: Command = {
  name: "traces",
  about: "list the latest traces",
  positionals: [],
  options: {
    last: { value: "n", about: "number of traces (default 20)" },
    status: { value: "status", about: `only traces with this status: ${STATUSES.join(", ")}` },
    ...TARGET_OPTIONS,
  },
  details: "Sorted by start, newest first. `whytrace trace <id>` prints one of them.",
  async run(call) {
    const { args, output } = call;
    const last = args.integer("last", { min: 1, max: 100 }) ?? 20;
    const status = args.text("status")?.toUpperCase();
    if (status !== undefined && !STATUSES.some((one) => one === status))
      throw usageError(`--status must be one of ${STATUSES.join(", ")}`, "traces");
    const api = await signedInApi(call);
    const filter = status === undefined ? "" : `&status=${status}`;
    const found = (await api.get(`/api/traces?limit=${last}${filter}`)) as { traces: TraceRow[] };
    if (found.traces.length === 0) output.note(`No traces at ${api.url}.`);
    for (const trace of found.traces) {
      output.json(trace);
      printRow(trace, output);
    }
  },
};

function printRow(
  { id, name, status, startedAt, totalDuration, totalCost, _count }: TraceRow,
  output: Output,
): void {
  const mark = output.paint(STATUS_STYLE[status], STATUS_MARK[status]);
  const start = output.paint("dim", `${startedAt.slice(0, 19).replace("T", " ")}Z`);
  const counts = `${formatCount(_count.spans, "span")}, ${formatCount(_count.decisionPoints, "decision")}`;
  const title = output.paint("bold", printable(name, MAX_NAME_LENGTH).padEnd(MAX_NAME_LENGTH));
  const metrics = `${formatMs(totalDuration).padStart(10)} ${formatUsd(totalCost).padStart(8)}`;
  output.line(
    `${mark} ${start} ${title} ${metrics}  ${output.paint("dim", `${counts.padEnd(24)} ${printable(id)}`)}`,
  );
}
