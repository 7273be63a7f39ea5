import { DECISION_POINT_TYPES, type DecisionRow } from "@whytrace/contract";
import { type Command, usageFault } from "../command.ts";
import { untilSignal } from "../dev/until-signal.ts";
import { formatType } from "../format.ts";
import { optionName } from "../option-name.ts";
import { type Output, printable } from "../output.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";
import { watchDecisions } from "../watch-decisions.ts";

const STATUS_STYLE = { ERROR: "red", RUNNING: "yellow", COMPLETED: "green" } as const;
const TYPE_WIDTH = Math.max(...DECISION_POINT_TYPES.map((type) => type.length));

export const tail: Command = {
  name: "tail",
  about: "show decisions as they come in",
  positionals: [],
  options: {
    last: { value: "n", about: "first show so many that are there already (10)" },
    type: { value: "type", about: "only this type, such as TOOL_SELECTION" },
    ...TARGET_OPTIONS,
  },
  async run(call) {
    const { given, output } = call;
    const last = given.wholeNumber("last", { least: 0, most: 100 }) ?? 10;
    const type = given.text("type")?.toUpperCase();
    if (type !== undefined && !DECISION_POINT_TYPES.some((one) => one === type))
      throw usageFault(`--type must be one of ${DECISION_POINT_TYPES.join(", ")}`, "tail");
    const api = await readingApi(call);
    const stopping = new AbortController();
    void untilSignal().then(() => stopping.abort());
    output.note(`Decisions at ${api.url}; Ctrl-C ends.`);
    for await (const decision of watchDecisions(api, last, stopping.signal))
      if (type === undefined || decision.type === type) {
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
  output.line(
    `${output.paint("dim", time)} ${output.paint("magenta", "◆")} ${formatType(type).padEnd(TYPE_WIDTH)} ${output.paint("bold", optionName(chosen))}` +
      `${others === "" ? "" : output.paint("dim", ` not ${others}`)}  ${status} ${output.paint("dim", trace.id)}`,
  );
  if (reasoning !== null)
    output.line(`${" ".repeat(11)}${output.paint("italic", `“${printable(reasoning)}”`)}`);
}
