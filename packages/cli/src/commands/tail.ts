import { DECISION_POINT_TYPES, type DecisionRow } from "@whytrace/contract";
import { type Command, usageError } from "../command.ts";
import { waitForSignal } from "../dev/wait-for-signal.ts";
import { optionName } from "../option-name.ts";
import { formatType } from "../print/format.ts";
import { unexpectedOutcome } from "../print/outcome-column.ts";
import { type Output, printable } from "../print/output.ts";
import { STATUS_STYLE } from "../print/status-style.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";
import { watchDecisions } from "../watch-decisions.ts";

const TYPE_WIDTH = Math.max(...DECISION_POINT_TYPES.map((type) => type.length));

export const tail: Command = {
  name: "tail",
  about: "show decisions as they arrive",
  positionals: [],
  options: {
    last: { value: "n", about: "first show this many of the latest decisions (default 10)" },
    type: { value: "type", about: "show only this type, for example TOOL_SELECTION" },
    ...TARGET_OPTIONS,
  },
  async run(call) {
    const { args, output } = call;
    const last = args.integer("last", { min: 0, max: 100 }) ?? 10;
    const given = args.text("type")?.toUpperCase();
    const type = DECISION_POINT_TYPES.find((known) => known === given);
    if (given !== type) throw usageError(`--type must be one of ${DECISION_POINT_TYPES.join(", ")}`, "tail");
    const api = await readingApi(call);
    const stopping = new AbortController();
    void waitForSignal().then(() => stopping.abort());
    output.note(`Watching decisions at ${api.url}. Press Ctrl-C to stop.`);
    for await (const decision of watchDecisions(api, { last, type }, stopping.signal)) {
      output.json(decision);
      printDecision(decision, output);
    }
  },
};

function printDecision(
  { type, chosen, alternatives, reasoning, timestamp, trace }: DecisionRow,
  output: Output,
): void {
  const time = new Date(timestamp).toTimeString().slice(0, 8);
  const others = alternatives.map(optionName).join(", ");
  const status = output.paint(STATUS_STYLE[trace.status], printable(trace.name));
  const outcome = unexpectedOutcome(trace.status, trace.outcome, output);
  output.line(
    `${output.paint("dim", time)} ${output.paint("magenta", "◆")} ${formatType(type).padEnd(TYPE_WIDTH)} ${output.paint("bold", optionName(chosen))}` +
      `${others === "" ? "" : output.paint("dim", ` not ${others}`)}  ${status}${outcome && ` ${outcome}`} ${output.paint("dim", printable(trace.id))}`,
  );
  if (reasoning !== null)
    output.line(`${" ".repeat(11)}${output.paint("italic", `“${printable(reasoning)}”`)}`);
}
